import { ApiError, invalid } from '../../base/errors.ts'
import { FairQueue } from '../../base/fair-queue.ts'
import type { Who } from '../../base/who.ts'
import { networkOf } from '../../facts/network.ts'
import { Decoder } from './decoder.ts'
import type { Picture } from './picture-process.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Decodes uploaded images, one at a time and in a process of its own, so that redirects keep the other core. */
export function createPictures() {
  const decoder = new Decoder()
  const turns = new FairQueue({
    maxRunning: 1,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 32,
    maxWaiting: 256,
    message: 'Too many images are being uploaded. Wait for some of them to be answered.',
  })

  /**
   * @throws ApiError UNSUPPORTED_MEDIA_TYPE for anything but an image of these types, VALIDATION_ERROR for a damaged or
   *   oversized one, RATE_LIMITED
   */
  async function inspect(who: Who, bytes: Buffer, signal?: AbortSignal): Promise<Picture> {
    // Networks are served in turns: an image may take seconds, and one client may have many accounts.
    const owners = [
      `network:${networkOf(who.ip ?? '')}`,
      `user:${who.userId}`,
      `workspace:${who.workspaceId}`,
    ]
    const inspected = await turns.run(owners, signal, () => decoder.inspect(bytes))
    if (inspected === null) throw damaged('is damaged, or takes too long to decode')
    if ('picture' in inspected) return inspected.picture
    if (inspected.refused === 'type')
      throw new ApiError(
        'UNSUPPORTED_MEDIA_TYPE',
        'The file must be a PNG, JPEG, GIF, WebP or AVIF image.',
        [{ path: 'file', message: 'The file is no image of these types.', code: 'media_type' }],
      )
    throw damaged(inspected.fault)
  }

  return { inspect, [Symbol.asyncDispose]: () => decoder.close() }
}

function damaged(fault: string) {
  return invalid('file', `The file ${fault}.`, 'invalid_image')
}
