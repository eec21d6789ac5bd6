import { join } from 'node:path'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import type { PassedSockets } from '../platform/http/listening.ts'
import { aborted, sleep } from '../platform/core/service.ts'
import type { Config } from '../platform/config/config.ts'
import { openMissingEngines } from '../platform/storage/embedded/engines.ts'
import { superviseEngine, type RunningEngine } from '../platform/storage/embedded/supervisor.ts'
import { RunningProcess } from '../platform/processes/child-process.ts'
import { holdInstallation } from './installation.ts'
import { openListeningSockets } from '../platform/processes/listening-sockets.ts'
import { ownOrigin, partsOf } from '../platform/config/roles.ts'
import { ProcessMetrics } from '../platform/processes/process-metrics.ts'
import { type RedirectStart, openServerSockets } from '../platform/processes/process-messages.ts'

type Context = {
  log: Log
  clock: Clock
  stop: AbortSignal
  passed: PassedSockets
}

const PROGRAMS = { server: '../server-process.ts', redirect: '../redirect-process.ts' } as const
const SERVER = 'server'

type Kind = keyof typeof PROGRAMS

/**
 * Starts the processes of this machine (docs/architecture.md), and restarts each that ends. A regular end goes from
 * the outside in: redirect processes close their journals, the server process ships them, then the databases end.
 */
export async function openSupervisor(given: Config, { log, clock, stop, passed }: Context) {
  await using opening = new AsyncDisposableStack()
  await holdInstallation(given, { log, clock }, opening)
  const { port, sockets } = opening.use(await openListeningSockets(given, passed))
  const config = { ...given, port }
  const numbers = partsOf(config.role).edge
    ? Array.from({ length: config.edgeProcesses }, (_, i) => i + 1)
    : []
  const { dataDir } = config
  const options = { dataDir, log, signal: stop, redirectProcesses: numbers.length }
  const { addresses } = opening.use(await openMissingEngines(config, options))
  const processes = new Processes(log, numbers.length)
  const none = { http: [], https: [] }
  const start = { config, addresses, server: await openServerSockets(dataDir) }
  const ofServer = { ...start, name: SERVER, sockets: numbers.length === 0 ? sockets : none }
  const { isWaiting } = await processes.start('server', ofServer, stop, opening)
  const redirects = new AsyncDisposableStack()
  opening.defer(() => redirects.disposeAsync())
  // Awaits all, since one that is still starting would outlive the failure of another.
  const started = await Promise.allSettled(
    numbers.map((number) => {
      const one: RedirectStart = { ...start, sockets, number, name: `redirect ${number}` }
      return processes.start('redirect', one, stop, redirects)
    }),
  )
  for (const one of started) if (one.status === 'rejected') throw one.reason
  const opened = opening.move()
  return {
    origin: ownOrigin(config, port),
    isWaiting,
    /** Runs until the signal. The processes then still serve for DRAIN_SECONDS, while `/ready` says that they will end. */
    async run(signal: AbortSignal): Promise<void> {
      await aborted(signal)
      processes.drain()
      await sleep(config.drainSeconds * 1_000)
      processes.endStreams()
      await redirects.disposeAsync()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

class Processes {
  readonly #log: Log
  readonly #metrics: ProcessMetrics
  readonly #running = new Map<string, RunningProcess>()
  readonly #names = new Set<string>()
  #isDraining = false

  constructor(log: Log, redirectProcesses: number) {
    this.#log = log
    this.#metrics = new ProcessMetrics(redirectProcesses, () => [...this.#running.values()])
  }

  /** @throws OperatorError when the process does not start */
  async start(
    kind: Kind,
    start: RedirectStart | Omit<RedirectStart, 'number'>,
    stop: AbortSignal,
    ends: AsyncDisposableStack,
  ): Promise<{ isWaiting: boolean }> {
    let isWaiting = false
    const { name } = start
    this.#names.add(name)
    const engine = {
      name,
      kind: 'process' as const,
      start: async (signal: AbortSignal): Promise<RunningEngine> => {
        const running = new RunningProcess(
          join(import.meta.dirname, PROGRAMS[kind]),
          start,
          (self) => void this.#metrics.sendOthers(self),
        )
        ;({ isWaiting } = await running.untilReady(signal))
        this.#note(name, running)
        void running.ended.then(() => this.#forget(kind, name, running))
        return running
      },
    }
    ends.use(await superviseEngine(engine, this.#log, stop))
    return { isWaiting }
  }

  drain(): void {
    this.#isDraining = true
    for (const running of this.#running.values()) running.send({ type: 'drain' })
  }

  endStreams(): void {
    this.#running.get(SERVER)?.send({ type: 'end-streams' })
  }

  #note(name: string, running: RunningProcess): void {
    this.#running.set(name, running)
    if (this.#isDraining) running.send({ type: 'drain' })
    this.#tellMissing()
  }

  #forget(kind: Kind, name: string, ended: RunningProcess): void {
    this.#running.delete(name)
    this.#metrics.keep(kind, ended)
    this.#tellMissing()
  }

  #tellMissing(): void {
    const names = [...this.#names].filter((name) => !this.#running.has(name))
    for (const running of this.#running.values()) running.send({ type: 'missing', names })
  }
}
