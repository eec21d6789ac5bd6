import type { Caller, KeyHolder } from '../../platform/routes/caller.ts'
import type { Log } from '../../platform/core/log.ts'

type Source = Pick<Caller, 'ip' | 'userAgent' | 'requestId'>

type Target = {
  method: string
  /** Without query and tokens. */
  path: string
}

/** Refusals of one key: the first of them, and their number. */
export type Refusals = Target & {
  holder: KeyHolder
  source: Source
  count: number
  addresses: number
}

type Batch = Omit<Refusals, 'addresses'> & {
  seenAddresses: Set<string | null>
  timer: NodeJS.Timeout
}
type Entry = { batch: Batch | null; writtenMs: number[] }

type Deps = {
  write: (refusals: Refusals) => Promise<unknown>
  log: Pick<Log, 'warn'>
  batchMs?: number
  /** One key gets at most `maxRows` rows in this time; then its refusals collect until the time is over. */
  windowMs?: number
  maxRows?: number
}

const MAX_PATH_CHARS = 200
const MAX_ADDRESSES = 1_000
/** Beyond this the batch of the oldest key is written at once. */
const MAX_KEYS = 10_000

export type RefusedKeys = ReturnType<typeof createRefusedKeys>

/** A flood of refusals makes few rows, and none is lost: one key gets at most `maxRows` in a window. */
export function createRefusedKeys({
  write,
  log,
  batchMs = 500,
  windowMs = 60_000,
  maxRows = 10,
}: Deps) {
  const entries = new Map<string, Entry>()
  const writing = new Set<Promise<unknown>>()

  function note(holder: KeyHolder, source: Source, { method, path }: Target): void {
    const entry = getEntry(holder.keyId)
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

  function getEntry(keyId: string): Entry {
    const known = entries.get(keyId)
    if (known) return known
    const [oldest] = entries.size < MAX_KEYS ? [] : entries
    if (oldest) {
      close(...oldest)
      entries.delete(oldest[0])
    }
    const entry: Entry = { batch: null, writtenMs: [] }
    entries.set(keyId, entry)
    return entry
  }

  function close(keyId: string, entry: Entry): void {
    const { batch } = entry
    if (!batch) return
    clearTimeout(batch.timer)
    entry.batch = null
    entry.writtenMs.push(performance.now())
    setTimeout(() => forget(keyId, entry), windowMs).unref()
    const { timer: _, seenAddresses, ...refusals } = batch
    const written = write({ ...refusals, addresses: seenAddresses.size })
      .catch((error: unknown) =>
        log.warn(
          { err: error, keyId, count: batch.count },
          'refused uses of an API key could not be written to the security log',
        ),
      )
      .finally(() => writing.delete(written))
    writing.add(written)
  }

  /** An entry is needed as long as its rows count towards `maxRows`. */
  function forget(keyId: string, entry: Entry): void {
    const isRecent = performance.now() - (entry.writtenMs.at(-1) ?? -Infinity) < windowMs
    if (!isRecent && !entry.batch && entries.get(keyId) === entry) entries.delete(keyId)
  }

  return {
    note,
    async [Symbol.asyncDispose](): Promise<void> {
      for (const [keyId, entry] of entries) close(keyId, entry)
      await Promise.all(writing)
    },
  }
}
