import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'

/** Keeps a child process alive. Invariant: at most one process at a time, and none after close. */
export type Engine = {
  readonly name: string
  readonly kind?: 'engine' | 'process'
  start(signal: AbortSignal): Promise<RunningEngine>
}

export type EngineOptions = {
  folder: string
  runtimeDir: string
  log: Log
}

export type RunningEngine = {
  readonly pid: number
  readonly ended: Promise<string>
  stop(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5_000
/** Afterwards failures count from zero again. */
const STEADY_MS = 60_000

/** Rejects when the first start fails or is aborted; later failures are tried again. */
export async function superviseEngine(
  engine: Engine,
  log: Log,
  signal = new AbortController().signal,
) {
  const closing = new AbortController()
  const { name, kind = 'engine' } = engine
  let running: RunningEngine | null = await engine.start(signal)
  const loop = keepRunning()

  async function keepRunning(): Promise<void> {
    let failures = 0
    while (running) {
      const startedAtMs = performance.now()
      const reason = await running.ended
      running = null
      if (closing.signal.aborted) return
      log.error({ name, reason }, `${kind} ended, restarting it`)
      if (performance.now() - startedAtMs > STEADY_MS) failures = 0
      while (!running) {
        await sleep(Math.min(FIRST_WAIT_MS * 2 ** failures, LONGEST_WAIT_MS), closing.signal)
        if (closing.signal.aborted) return
        failures++
        running = await restart()
      }
    }
  }

  async function restart(): Promise<RunningEngine | null> {
    try {
      const restarted = await engine.start(closing.signal)
      if (!closing.signal.aborted) {
        log.info({ name, pid: restarted.pid }, `${kind} restarted`)
        return restarted
      }
      await restarted.stop()
    } catch (error) {
      if (!closing.signal.aborted)
        log.error({ name, reason: (error as Error).message }, `${kind} did not start`)
    }
    return null
  }

  return {
    get pid() {
      return running?.pid ?? null
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await running?.stop()
      await loop
    },
  }
}
