import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Principal } from '../../platform/routes/principal.ts'

const MAX_LOGO_BYTES = 64 * 1024
const SIGNATURES = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')]

const queue = new FairQueue(PLACES.drawings)

function inTurn<T>(
  principal: Principal,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  return queue.run([`user:${principal.userId}`, `workspace:${principal.workspaceId}`], signal, work)
}

/** Loaded at the first image: most processes never draw one. */
async function loadSharp() {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}

/** Pixels of a code, three bytes each, and the PNG of its logo: made by us, since images of users are decoded in another process. */
type Drawing = { pixels: Buffer; size: number; image: { image: Buffer; from: number } | null }

/** A PNG of pixels. */
export function toPng(
  principal: Principal,
  signal: AbortSignal | undefined,
  { pixels, size, image: logo }: Drawing,
): Promise<Buffer> {
  return inTurn(principal, signal, async () => {
    const sharp = await loadSharp()
    const image = sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    if (!logo) return image.png({ compressionLevel: 9 }).toBuffer()
    const { image: input, from } = logo
    return image
      .composite([{ input, left: from, top: from }])
      .png()
      .toBuffer()
  })
}

/**
 * Checks the size and the type of a logo that came with a request.
 * @throws ApiError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
 */
export function checkLogoFile(bytes: Buffer): void {
  if (bytes.length > MAX_LOGO_BYTES)
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The logo is larger than 64 KiB.', [
      { path: 'logo', message: 'The logo is larger than 64 KiB.', code: 'too_large' },
    ])
  if (!SIGNATURES.some((signature) => bytes.subarray(0, signature.length).equals(signature)))
    throw new ApiError('UNSUPPORTED_MEDIA_TYPE', 'The logo must be a PNG or JPEG image.', [
      { path: 'logo', message: 'The logo must be a PNG or JPEG image.', code: 'media_type' },
    ])
}
