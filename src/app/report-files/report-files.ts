import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { Who } from '../../base/who.ts'
import type { Config } from '../../config/config.ts'
import type { ShortHost } from '../../services/links/short-host.ts'
import type { Plans } from '../../services/plans.ts'
import type { FileTarget } from '../../services/reports/files.ts'
import type { AskedFile, FilePiece } from '../../services/reports/write-file.ts'
import { REPORT_CHUNK } from '../../storage/sealed-columns.ts'
import type { Addresses } from '../../storage/stores.ts'
import { toThreadDatabases } from '../thread-databases.ts'
import type { ThreadFailures } from '../thread-failures.ts'
import { ReportThread } from './thread.ts'

/** A thread without a file ends after this time, to return its memory. */
const IDLE_MS = 10_000

type Deps = {
  config: Config
  clock: Clock
  log: Log
  plans: Pick<Plans, 'all' | 'initial'>
  secrets: Pick<Secrets, 'keysOf'>
  addresses: Addresses
  shortHost: () => Pick<ShortHost, 'origin' | 'domain'>
  threadFailures: ThreadFailures
}

/**
 * Makes the files of reports on a thread of low priority, so that redirects do not wait for it. The thread starts with a first
 * file, makes one piece of it each time that it is asked for one, and ends after ten seconds without a file. Files that it
 * was making when it fails fail with it, and the next file starts another thread.
 */
export class ReportFiles {
  readonly #deps: Deps
  #thread: ReportThread | null = null
  #count = 0
  #running = 0
  #idleTimer: NodeJS.Timeout | undefined

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @throws ApiError of the rules of reports; Error when the thread failed */
  async *write(who: Who, asked: AskedFile, target: FileTarget): AsyncGenerator<FilePiece> {
    clearTimeout(this.#idleTimer)
    const thread = (this.#thread ??= this.#start())
    const file = ++this.#count
    this.#running++
    try {
      const clockOffsetMs = this.#deps.clock() - Date.now()
      thread.post({ type: 'begin', file, who, asked, target, clockOffsetMs })
      for (;;) {
        const piece = await thread.next(file)
        if (piece === null) return
        yield piece
      }
    } finally {
      thread.post({ type: 'end', file })
      if (--this.#running === 0)
        this.#idleTimer = setTimeout(() => void this.stop(), IDLE_MS).unref()
    }
  }

  /** Ends the thread. Files that it is making fail. */
  async stop(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const thread = this.#thread
    this.#thread = null
    await thread?.stop()
  }

  #start(): ReportThread {
    const { config, secrets, plans, addresses, shortHost } = this.#deps
    const { publicUrl, shortUrl } = config
    const { origin, domain } = shortHost()
    const thread = new ReportThread({
      settings: { publicUrl, shortUrl },
      shortHost: { origin, domain },
      plans: { all: plans.all, initial: plans.initial.id },
      databases: toThreadDatabases(config, addresses),
      keys: secrets.keysOf([REPORT_CHUNK.purpose]),
    })
    void thread.ended.then((error) => this.#noteEnd(thread, error))
    return thread
  }

  #noteEnd(thread: ReportThread, error: Error | null): void {
    if (this.#thread === thread) this.#thread = null
    if (error === null) return
    this.#deps.threadFailures.inc({ thread: 'reports' })
    this.#deps.log.error(
      { err: error },
      'the thread that makes files of reports failed; the next file starts another',
    )
  }
}
