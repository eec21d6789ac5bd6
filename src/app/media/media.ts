import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Config } from '../../config/config.ts'
import type { ShortHost } from '../../services/links/short-host.ts'
import { createPictures } from '../../services/media/pictures.ts'
import type { StoreImage } from '../../services/media/uploads.ts'
import type { Plans } from '../../services/plans.ts'
import { KEPT_ANSWER } from '../../storage/sealed-columns.ts'
import type { Stores } from '../../storage/stores.ts'
import { toThreadPostgres } from '../thread-databases.ts'
import type { Order } from './messages.ts'
import type { ThreadFailures } from '../thread-failures.ts'
import { MediaThread } from './thread.ts'

/** A thread without uploads ends after this time, to return its memory. */
const IDLE_MS = 10_000

type Deps = {
  config: Pick<Config, 'databaseUrl' | 'databasePoolUrl'>
  stores: Pick<Stores, 'addresses' | 'secrets'>
  plans: Plans
  clock: Clock
  log: Log
  shortHost: () => Pick<ShortHost, 'origin'>
  threadFailures: ThreadFailures
}

/**
 * Stores images on a thread of its own, so that redirects wait neither for the bytes nor for the garbage that they leave. The
 * thread starts with the first upload, and again after one that failed.
 */
export class MediaUploads {
  readonly #deps: Deps
  #thread: MediaThread | null = null
  #idleTimer: NodeJS.Timeout | undefined
  /** For logos, whose codes are drawn by the main thread. */
  readonly #pictures = createPictures()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  readonly store: StoreImage = async (...upload) => {
    const { clock } = this.#deps
    clearTimeout(this.#idleTimer)
    const thread = (this.#thread ??= this.#start())
    try {
      return await thread.store(clock() - Date.now(), ...upload)
    } finally {
      if (thread === this.#thread && thread.isIdle)
        this.#idleTimer = setTimeout(() => void this.#end(), IDLE_MS).unref()
    }
  }

  readonly drawLogo = this.#pictures.drawLogo

  /** The address of an image on the shared host. */
  readonly toPublicUrl = (id: string) => `${this.#deps.shortHost().origin}/media-public/${id}`

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#end(), this.#pictures[Symbol.asyncDispose]()])
  }

  async #end(): Promise<void> {
    clearTimeout(this.#idleTimer)
    const thread = this.#thread
    this.#thread = null
    await thread?.stop()
  }

  #start(): MediaThread {
    const { config, stores, plans } = this.#deps
    const order: Order = {
      databases: toThreadPostgres(config, stores.addresses),
      keys: stores.secrets.keysOf([KEPT_ANSWER.purpose]),
      plans: { all: plans.all, initial: plans.initial.id },
      publicUrl: this.toPublicUrl(''),
    }
    const thread = new MediaThread(order)
    void thread.ended.then((error) => this.#noteEnd(thread, error))
    return thread
  }

  #noteEnd(thread: MediaThread, error: Error | null): void {
    if (this.#thread === thread) this.#thread = null
    if (error === null) return
    this.#deps.threadFailures.inc({ thread: 'media' })
    this.#deps.log.error(
      { err: error },
      'the thread that stores images failed; the next upload starts another',
    )
  }
}
