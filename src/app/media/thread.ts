import { Worker, type Transferable } from 'node:worker_threads'
import { ApiError } from '../../base/errors.ts'
import type { Media } from '../../services/media/schema.ts'
import type { StoreImage } from '../../services/media/uploads.ts'
import { openSentError } from '../../base/sent-errors.ts'
import type { FromThread, Order, ToThread } from './messages.ts'

/** Several times what parts of images take on the heap, so that only a defect reaches it. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 }
/** More than the closing of connections takes. */
const STOP_MS = 8_000

/** One run of the thread that stores images, from its start to its end. */
export class MediaThread {
  /** The error, or null after an end in order. Never rejects. */
  readonly ended: Promise<Error | null>
  readonly #worker: Worker
  readonly #uploads = new Map<number, PromiseWithResolvers<Media>>()
  #lastId = 0
  #isDone = false

  constructor(order: Order) {
    this.#worker = new Worker(new URL('main.ts', import.meta.url), {
      name: 'media',
      workerData: order,
      resourceLimits: RESOURCE_LIMITS,
    })
    let failure: Error | null = null
    this.#worker.on('message', (message: FromThread) => this.#receive(message))
    this.#worker.on('error', (error) => (failure = error as Error))
    this.ended = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        const error = failure ?? new Error(`the thread ended with code ${code}`)
        this.#refuseAll()
        resolve(this.#isDone ? null : error)
      })
    })
  }

  get isIdle(): boolean {
    return this.#uploads.size === 0
  }

  /** @throws ApiError UNAVAILABLE when the thread ends; the upload may be repeated, since equal images are one */
  async store(
    clockOffsetMs: number,
    ...[who, { bytes, filename }, signal]: Parameters<StoreImage>
  ): Promise<Media> {
    signal?.throwIfAborted()
    const id = ++this.#lastId
    const upload = Promise.withResolvers<Media>()
    this.#uploads.set(id, upload)
    this.#worker.ref()
    const moved = toMovable(bytes)
    const message = { type: 'store', id, who, bytes: moved, filename, clockOffsetMs } as const
    this.#post(message, [moved.buffer])
    const abort = () => this.#post({ type: 'abort', id })
    signal?.addEventListener('abort', abort, { once: true })
    try {
      return await upload.promise
    } finally {
      signal?.removeEventListener('abort', abort)
      this.#uploads.delete(id)
      // The process may end before a thread without work.
      if (this.isIdle) this.#worker.unref()
    }
  }

  /** Ends it after the uploads that it has. */
  async stop(): Promise<void> {
    this.#post({ type: 'stop' })
    const timer = setTimeout(() => void this.#worker.terminate(), STOP_MS).unref()
    await this.ended
    clearTimeout(timer)
  }

  #receive(message: FromThread): void {
    if (message.type === 'done') {
      this.#isDone = true
      void this.#worker.terminate()
    } else if (message.type === 'stored') this.#uploads.get(message.id)?.resolve(message.media)
    else this.#uploads.get(message.id)?.reject(openSentError(message.error))
  }

  #refuseAll(): void {
    for (const { reject } of this.#uploads.values())
      reject(new ApiError('UNAVAILABLE', 'The image was not stored. Upload it again.'))
  }

  #post(message: ToThread, moved: Transferable[] = []): void {
    this.#worker.postMessage(message, moved)
  }
}

/** Bytes that are alone in their memory, as those of a large body are; others are copied. */
function toMovable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : new Uint8Array(bytes)
}
