import type { Log } from '../base/log.ts'
import { sleep } from '../base/service.ts'
import type { Outcome } from './queue.ts'

const FLUSH_EVERY_MS = 20
const MAX_BATCH = 500
/** So many outcomes unwritten, and no more deliveries are claimed. */
const MAX_UNWRITTEN = 5_000
const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 2_000
/** How often is asked whether what others had locked is free. */
const LOOK_EVERY_MS = 500

export type Flusher = {
  /** `onWritten` is called once, when the outcome is written or given up. */
  add(outcome: Outcome, onWritten: () => void): void
  isFull(): boolean
  unwritten(): number
  /** Resolves when everything that was added is written or given up. */
  drained(): Promise<void>
  /** What is unwritten stays so: its deliveries are made again by whoever takes the lanes. */
  giveUp(): void
}

/**
 * Writes outcomes in batches, one batch at a time. During an outage of the database they wait in
 * memory; an outcome whose data the database refuses is found by halving and written without it.
 * Where another session holds the rows of an endpoint, its outcomes alone wait.
 */
export function createFlusher(deps: {
  /** Rejects with 55P03 rather than wait for the locks of others. */
  flush: (outcomes: readonly Outcome[]) => Promise<void>
  /** Endpoints of which others have locked what these outcomes would write. */
  lockedEndpoints: (outcomes: readonly Outcome[]) => Promise<string[]>
  log: Log
  observeSeconds: (seconds: number) => void
}): Flusher {
  const { flush, log, observeSeconds } = deps
  let waiting: Waiting[] = []
  /** Of locked endpoints, in order. */
  let heldBack: Waiting[] = []
  let locked: ReadonlySet<string> = new Set()
  let lookAtMs = -Infinity
  let unwritten = 0
  let running: Promise<void> | null = null
  let isGivenUp = false

  function add(outcome: Outcome, onWritten: () => void): void {
    waiting.push({ outcome, onWritten })
    unwritten++
    running ??= run()
  }

  async function run(): Promise<void> {
    await sleep(FLUSH_EVERY_MS)
    while (waiting.length + heldBack.length > 0 && !isGivenUp) {
      const startedAt = performance.now()
      if (heldBack.length > 0 && startedAt >= lookAtMs) await lookAgain()
      const batch = nextBatch()
      if (batch.length > 0) {
        await write(batch)
        observeSeconds((performance.now() - startedAt) / 1000)
      }
      const restMs = FLUSH_EVERY_MS - (performance.now() - startedAt)
      if (waiting.length < MAX_BATCH && restMs > 0) await sleep(restMs)
    }
    for (const { onWritten } of [...heldBack.splice(0), ...waiting.splice(0)]) onWritten()
    running = null
  }

  function nextBatch(): Waiting[] {
    const batch = waiting.slice(0, MAX_BATCH)
    waiting = waiting.slice(MAX_BATCH)
    return locked.size === 0 ? batch : holdBack(batch)
  }

  /** @returns those that need not wait */
  function holdBack(batch: readonly Waiting[]): Waiting[] {
    heldBack.push(...batch.filter(isLocked))
    return batch.filter((each) => !isLocked(each))
  }

  function isLocked({ outcome }: Waiting): boolean {
    return locked.has(outcome.endpointId)
  }

  /** What is free by now goes first: it has waited longest. */
  async function lookAgain(): Promise<void> {
    await look(heldBack)
    const held = heldBack
    heldBack = held.filter(isLocked)
    waiting = [...held.filter((each) => !isLocked(each)), ...waiting]
  }

  /** When the database does not tell, what was locked is. */
  async function look(among: readonly Waiting[]): Promise<void> {
    const ids = await deps.lockedEndpoints(outcomesOf(among)).catch(() => locked)
    locked = new Set(ids)
    lookAtMs = performance.now() + LOOK_EVERY_MS
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    for (let failures = 0; !isGivenUp; failures++) {
      try {
        await flush(outcomesOf(batch))
        break
      } catch (error) {
        if (isRefusedData(error)) return writeHalves(batch, error)
        if (isLockTimeout(error)) {
          await look([...heldBack, ...batch])
          const free = holdBack(batch)
          if (free.length === 0) return
          if (free.length < batch.length) return write(free)
        }
        if (Number.isInteger(Math.log2(failures + 1)))
          log.warn({ err: error, outcomes: unwritten }, 'outcomes of deliveries cannot be written')
        await sleep(Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS))
      }
    }
    settle(batch)
  }

  function settle(batch: readonly Waiting[]): void {
    unwritten -= batch.length
    for (const { onWritten } of batch) onWritten()
  }

  async function writeHalves(batch: readonly Waiting[], error: unknown): Promise<void> {
    const [only] = batch
    if (batch.length === 1 && only) {
      const { outcome } = only
      if (outcome.responseBody === null && outcome.responseHeaders === null) {
        log.error({ err: error, deliveryId: outcome.id }, 'an outcome was not written')
        return settle(batch)
      }
      log.error(
        { err: error, deliveryId: outcome.id },
        'a response was left out of the delivery log',
      )
      const bare = { ...outcome, responseBody: null, responseHeaders: null }
      return write([{ ...only, outcome: bare }])
    }
    const middle = Math.ceil(batch.length / 2)
    await write(batch.slice(0, middle))
    await write(batch.slice(middle))
  }

  return {
    add,
    unwritten: () => unwritten,
    isFull: () => unwritten >= MAX_UNWRITTEN,
    drained: async () => {
      while (running !== null) await running
    },
    giveUp: () => (isGivenUp = true),
  }
}

function outcomesOf(batch: readonly Waiting[]): Outcome[] {
  return batch.map(({ outcome }) => outcome)
}

/** lock_not_available */
function isLockTimeout(error: unknown): boolean {
  return (error as { code?: unknown }).code === '55P03'
}

type Waiting = { outcome: Outcome; onWritten: () => void }

/** SQLSTATE class 22: the values themselves, not the moment. */
function isRefusedData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('22')
}
