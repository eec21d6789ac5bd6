import type { Log } from '../base/log.ts'
import { sleep } from '../base/service.ts'
import type { Outcome } from './queue.ts'

const FLUSH_EVERY_MS = 20
const MAX_BATCH = 200
/** So many outcomes unwritten, and no more deliveries are claimed. */
const MAX_UNWRITTEN = 5_000
const FIRST_BACKOFF_MS = 100
const LONGEST_BACKOFF_MS = 2_000

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
 */
export function createFlusher(deps: {
  flush: (outcomes: readonly Outcome[]) => Promise<void>
  log: Log
  observeSeconds: (seconds: number) => void
}): Flusher {
  const { flush, log, observeSeconds } = deps
  let waiting: Waiting[] = []
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
    while (waiting.length > 0 && !isGivenUp) {
      const batch = waiting.slice(0, MAX_BATCH)
      waiting = waiting.slice(MAX_BATCH)
      const startedAt = performance.now()
      await write(batch.map(({ outcome }) => outcome))
      observeSeconds((performance.now() - startedAt) / 1000)
      unwritten -= batch.length
      for (const { onWritten } of batch) onWritten()
      const restMs = FLUSH_EVERY_MS - (performance.now() - startedAt)
      if (waiting.length < MAX_BATCH && restMs > 0) await sleep(restMs)
    }
    for (const { onWritten } of waiting.splice(0)) onWritten()
    running = null
  }

  async function write(batch: readonly Outcome[]): Promise<void> {
    for (let failures = 0; !isGivenUp; failures++) {
      try {
        await flush(batch)
        return
      } catch (error) {
        if (isRefusedData(error)) return writeHalves(batch, error)
        if (Number.isInteger(Math.log2(failures + 1)))
          log.warn({ err: error, outcomes: unwritten }, 'outcomes of deliveries cannot be written')
        await sleep(Math.min(FIRST_BACKOFF_MS * 2 ** failures, LONGEST_BACKOFF_MS))
      }
    }
  }

  async function writeHalves(batch: readonly Outcome[], error: unknown): Promise<void> {
    const [only] = batch
    if (batch.length === 1 && only) {
      if (only.responseBody === null && only.responseHeaders === null)
        return log.error({ err: error, deliveryId: only.id }, 'an outcome was not written')
      log.error({ err: error, deliveryId: only.id }, 'a response was left out of the delivery log')
      return write([{ ...only, responseBody: null, responseHeaders: null }])
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

type Waiting = { outcome: Outcome; onWritten: () => void }

/** SQLSTATE class 22: the values themselves, not the moment. */
function isRefusedData(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && code.startsWith('22')
}
