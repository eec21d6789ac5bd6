import type { Log } from '../base/log.ts'
import type { KeyHolder, Source } from './credentials.ts'

/** The request that an API key came with. */
export type AskedOf = {
  method: string
  /** Without query and tokens, as a log line shows it. */
  path: string
}

/** Refusals of one key within one batch: the first of them, and how many there were. */
export type Refusals<Key> = AskedOf & {
  holder: Key
  source: Source
  count: number
  /** How many addresses they came from; more than {@link MAX_ADDRESSES} are not told apart. */
  addresses: number
}

type Batch<Key> = Omit<Refusals<Key>, 'addresses'> & {
  seenAddresses: Set<string | null>
  timer: NodeJS.Timeout
}
type Entry<Key> = { batch: Batch<Key> | null; writtenMs: number[] }

type Deps<Key> = {
  write: (refusals: Refusals<Key>) => Promise<unknown>
  log: Pick<Log, 'warn'>
  /** How long a batch collects while the key has rows left. */
  batchMs?: number
  /** At most `maxRows` rows of one key are written in this time; after them a batch waits for its end. */
  windowMs?: number
  maxRows?: number
}

const MAX_PATH_CHARS = 200
const MAX_ADDRESSES = 1_000
/** Keys that were refused within the last window; beyond, the oldest one's batch is written at once. */
const MAX_KEYS = 10_000

export type RefusedKeys<Key> = {
  note(holder: Key, source: Source, asked: AskedOf): void
  /** Writes what is collected. */
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * Keys that came from an address which they do not allow, counted per key so that a flood of them is
 * few rows and no refusal is lost:
 *
 *   idle ──a refusal──▶ collecting ──batchMs, or the window's end once maxRows are written──▶ written
 */
export function createRefusedKeys<Key extends Pick<KeyHolder, 'keyId'>>({
  write,
  log,
  batchMs = 500,
  windowMs = 60_000,
  maxRows = 10,
}: Deps<Key>): RefusedKeys<Key> {
  const entries = new Map<string, Entry<Key>>()
  const writing = new Set<Promise<unknown>>()

  function note(holder: Key, source: Source, { method, path }: AskedOf): void {
    const entry = entryOf(holder.keyId)
    if (entry.batch) {
      entry.batch.count++
      if (entry.batch.seenAddresses.size < MAX_ADDRESSES) entry.batch.seenAddresses.add(source.ip)
      return
    }
    const nowMs = performance.now()
    entry.writtenMs = entry.writtenMs.filter((ms) => nowMs - ms < windowMs)
    const isWithin = entry.writtenMs.length < maxRows
    const waitMs = isWithin ? batchMs : entry.writtenMs[0]! + windowMs - nowMs
    entry.batch = {
      holder,
      source,
      method,
      path: path.slice(0, MAX_PATH_CHARS),
      count: 1,
      seenAddresses: new Set([source.ip]),
      timer: setTimeout(() => close(holder.keyId, entry), waitMs).unref(),
    }
  }

  function entryOf(keyId: string): Entry<Key> {
    const known = entries.get(keyId)
    if (known) return known
    const [oldest] = entries.size < MAX_KEYS ? [] : entries
    if (oldest) {
      close(...oldest)
      entries.delete(oldest[0])
    }
    const entry: Entry<Key> = { batch: null, writtenMs: [] }
    entries.set(keyId, entry)
    return entry
  }

  function close(keyId: string, entry: Entry<Key>): void {
    const { batch } = entry
    if (!batch) return
    clearTimeout(batch.timer)
    entry.batch = null
    entry.writtenMs.push(performance.now())
    setTimeout(() => forget(keyId, entry), windowMs).unref()
    const { timer: _, seenAddresses, ...refusals } = batch
    const written = write({ ...refusals, addresses: seenAddresses.size })
      .catch((error: unknown) =>
        log.warn({ err: error, keyId, count: batch.count }, 'refused API keys are not in the log'),
      )
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  /** An entry is kept as long as its rows count. */
  function forget(keyId: string, entry: Entry<Key>): void {
    const isRecent = performance.now() - (entry.writtenMs.at(-1) ?? -Infinity) < windowMs
    if (!isRecent && !entry.batch && entries.get(keyId) === entry) entries.delete(keyId)
  }

  return {
    note,
    async [Symbol.asyncDispose]() {
      for (const [keyId, entry] of entries) close(keyId, entry)
      await Promise.all(writing)
    },
  }
}
