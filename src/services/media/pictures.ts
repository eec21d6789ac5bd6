import { ApiError, invalid } from '../../base/errors.ts'
import { FairQueue } from '../../base/fair-queue.ts'
import { ThreadPool } from '../../base/thread-pool.ts'
import type { Who } from '../../base/who.ts'
import type { Inspected, Picture } from './picture-thread.ts'

export type Pictures = ReturnType<typeof createPictures>

const IDLE_MS = 10_000

/** Decodes uploaded images, one at a time and on a thread of its own, so that redirects keep the other core. */
export function createPictures() {
  const thread = new ThreadPool<Uint8Array, Inspected>(
    new URL('./picture-thread.ts', import.meta.url),
    { maxRunning: 1, maxWaiting: 1, idleMs: IDLE_MS, taskName: 'images' },
  )
  const turns = new FairQueue({
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 16,
    maxWaiting: 64,
    message: 'Too many images are being uploaded. Wait for some of them to be answered.',
  })

  /**
   * @throws ApiError UNSUPPORTED_MEDIA_TYPE for anything but an image of these types, VALIDATION_ERROR for a damaged or
   *   oversized one, RATE_LIMITED
   */
  async function inspect(who: Who, bytes: Buffer, signal?: AbortSignal): Promise<Picture> {
    const owners = [`user:${who.userId}`, `workspace:${who.workspaceId}`]
    const inspected = await turns.run(owners, signal, () => thread.run(bytes))
    if ('picture' in inspected) return inspected.picture
    if (inspected.refused === 'type')
      throw new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The file must be a PNG, JPEG, GIF, WebP or AVIF image.',
        [{ path: 'file', message: 'The file is no image of these types.', code: 'media_type' }],
      )
    throw invalid('file', `The file ${inspected.fault}.`, 'invalid_image')
  }

  return { inspect }
}
