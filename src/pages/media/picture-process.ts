import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { answerFiles } from '../../platform/work/file-process-child.ts'
import { lowerThreadPriority } from '../../platform/work/priority.ts'
import { findFault, MAX_LOGO_PIXELS, typeOf, type ImageType } from './containers.ts'

/** Copies that pages show. `wide` keeps an animation, the others show its first frame. */
type CopyKind = 'small' | 'wide' | 'card'

type Copy = { kind: CopyKind; contentType: string; bytes: Uint8Array; sha256: Uint8Array }

export type Picture = {
  contentType: ImageType
  /** After an orientation in the metadata is applied. */
  width: number
  height: number
  frames: number
  copies: Copy[]
}

/** `picture` checks an image and makes its copies; `logo` draws it as a square PNG on a color. */
export type PictureRequest = { as: 'picture' } | { as: 'logo'; size: number; background: Rgb }
export type Rgb = readonly [red: number, green: number, blue: number]

export type Inspected =
  | { picture: Picture }
  | { refused: 'type' }
  /** The end of a sentence that begins with "The file". */
  | { refused: 'content'; fault: string }

const MAX_PIXELS = 25_000_000
const MAX_FRAMES = 100
/** Pixels of all frames together. */
const MAX_ANIMATION_PIXELS = 50_000_000

const SMALL = 256
const WIDE = 1_280
/** A card of social networks (Open Graph). */
const CARD = { width: 1_200, height: 630 }
const WEBP = { quality: 80, effort: 2 } as const

// One core, and no memory kept between images.
sharp.concurrency(1)
sharp.cache(false)

// Before the decoder starts threads, which inherit the priority.
lowerThreadPriority()
answerFiles(async function* (bytes: Buffer, request: PictureRequest) {
  yield request.as === 'picture' ? await inspect(bytes) : await drawLogo(bytes, request)
})

async function inspect(bytes: Buffer): Promise<Inspected> {
  const contentType = typeOf(bytes)
  if (contentType === null) return { refused: 'type' }
  const fault = findFault(bytes, contentType)
  if (fault !== null) return { refused: 'content', fault }
  try {
    const size = await measure(bytes)
    if (typeof size === 'string') return { refused: 'content', fault: size }
    return { picture: { contentType, ...size, copies: await copy(bytes, size.frames) } }
  } catch {
    return { refused: 'content', fault: 'is damaged, or takes too long to decode' }
  }
}

async function measure(bytes: Buffer) {
  const { autoOrient, pages: frames = 1 } = await sharp(bytes).metadata()
  const { width, height } = autoOrient
  const pixels = width * height
  if (frames > MAX_FRAMES) return `has more than ${MAX_FRAMES} frames`
  if (pixels > MAX_PIXELS) return `has more than ${MAX_PIXELS / 1e6} megapixels`
  if (frames > 1 && pixels * frames > MAX_ANIMATION_PIXELS)
    return `has more than ${MAX_ANIMATION_PIXELS / 1e6} megapixels in all of its frames`
  return { width, height, frames }
}

/** Decodes every pixel, which reveals damage, and drops metadata such as the location of a photo. */
async function copy(bytes: Buffer, frames: number): Promise<Copy[]> {
  const limits = { limitInputPixels: MAX_ANIMATION_PIXELS, failOn: 'warning' } as const
  const wide = await sharp(bytes, { ...limits, animated: frames > 1 })
    .autoOrient()
    .resize({
      width: WIDE,
      height: frames > 1 ? undefined : 4 * WIDE,
      fit: 'inside',
      withoutEnlargement: true,
    })
    .webp(WEBP)
    .toBuffer()
  const small = await sharp(wide).resize(SMALL, SMALL, { fit: 'cover' }).webp(WEBP).toBuffer()
  const card = await sharp(wide)
    .resize({ ...CARD, fit: 'cover' })
    .flatten({ background: '#fff' })
    .jpeg({ quality: 82, mozjpeg: true })
    .toBuffer()
  return [
    toCopy('small', 'image/webp', small),
    toCopy('wide', 'image/webp', wide),
    toCopy('card', 'image/jpeg', card),
  ]
}

async function drawLogo(
  bytes: Buffer,
  { size, background: [r, g, b] }: PictureRequest & { as: 'logo' },
): Promise<Uint8Array | null> {
  const background = { r, g, b }
  try {
    return await sharp(bytes, { limitInputPixels: MAX_LOGO_PIXELS, failOn: 'error' })
      .autoOrient()
      .resize(size, size, { fit: 'contain', background })
      .flatten({ background })
      .png()
      .toBuffer()
  } catch {
    return null
  }
}

function toCopy(kind: CopyKind, contentType: string, bytes: Buffer): Copy {
  return { kind, contentType, bytes, sha256: createHash('sha256').update(bytes).digest() }
}
