import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { writeZip } from '../../platform/core/zip.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { route, type Sent } from '../../platform/routes/route.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { ThreadPool } from '../../platform/work/thread-pool.ts'
import type { Drawing } from './drawing-thread.ts'
import type { Link } from '../link/schema.ts'
import {
  checkColors,
  encode,
  layOut,
  LOGO_INSET,
  LogoQrOptions,
  QrOptions,
  toPixels,
  toRgb,
  toSvg,
  type QrCode,
} from './qr-code.ts'
import { Type, type Static } from 'typebox'
import { TIMES } from '../../platform/limits/times.ts'
import { idInput, idParams } from '../../platform/resources/shapes.ts'
import { described, object } from '../../platform/routes/shape.ts'
import type { Links } from '../link/links.ts'

export type LogoReaders = Pick<Deps, 'readLogo' | 'drawLogo'>

type Deps = {
  /** Refuses the id of another workspace. */
  findLink: (principal: Principal, params: { id: string }) => Promise<void>
  getLink: (principal: Principal, id: string) => Promise<Link>
  readLogo: (principal: Principal, mediaId: string) => Promise<Buffer | null>
  drawLogo: (
    principal: Principal,
    signal: AbortSignal | undefined,
    bytes: Buffer,
    size: number,
    background: readonly [red: number, green: number, blue: number],
  ) => Promise<Buffer>
}

type Wanted = {
  id: string
  options: QrOptions
  file?: Buffer
  signal?: AbortSignal | undefined
}
type InTurn = (work: () => Promise<Buffer>) => Promise<Buffer>
type DrawLogo = (logo: Buffer, size: number) => Promise<Buffer>

const MAX_CODES = 100

/** The drawing of a long URL takes half a second. The queue of drawings is before it. */
const threads = new ThreadPool<Drawing, Uint8Array>(
  new URL('./drawing-thread.ts', import.meta.url),
  { maxRunning: 1, maxWaiting: 32, idleMs: 5_000, taskName: 'QR codes' },
)

const QrCodes = object('QrCodes', {
  ids: described(
    Type.Array(idInput('lnk', 'Id of a link.'), { minItems: 1, maxItems: MAX_CODES }),
    `The links, at most ${MAX_CODES}.`,
    ['lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
  ),
  ...QrOptions.properties,
})
type QrCodes = Static<typeof QrCodes>

export type LinkQr = ReturnType<typeof createLinkQr>

/** Visits with this parameter count as scans. */
const SCANNED = '?qr=1'
/** Pixels of a logo in an SVG, which has no size of its own. */
const SVG_LOGO_PIXELS = 256
const MAX_LOGO_BYTES = 64 * 1024
const SIGNATURES = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')]

export function createLinkQr({ findLink, getLink, readLogo, drawLogo }: Deps) {
  const queue = new FairQueue(PLACES.drawings)

  async function draw(principal: Principal, wanted: Wanted): Promise<Sent> {
    checkColors(wanted.options)
    if (wanted.file) checkLogoFile(wanted.file)
    const { format } = wanted.options
    const link = await getLink(principal, wanted.id)
    const body = await drawLink(principal, link, wanted)
    return {
      contentType: CONTENT_TYPES[format],
      body,
      filename: `${link.slug}.${format}`,
      isInline: true,
      etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    }
  }

  /** The codes of many links as the files of an archive. */
  async function drawAll(
    principal: Principal,
    { ids, ...options }: QrCodes,
    signal?: AbortSignal,
  ): Promise<Sent> {
    checkColors(options)
    const links: Link[] = []
    for (const [at, id] of ids.entries()) {
      await findLink(principal, { id }).catch((error: unknown) => {
        const isMissing = error instanceof ApiError && error.code === 'NOT_FOUND'
        throw isMissing ? invalid(`ids.${at}`, 'There is no link with this id.') : error
      })
      links.push(await getLink(principal, id))
    }
    const names = new Set<string>()
    async function* files() {
      for (const link of links) {
        signal?.throwIfAborted()
        const code = await drawLink(principal, link, { options, signal })
        yield { name: nameIn(names, link.slug, options.format), content: [code] }
      }
    }
    const body = await buffer(writeZip(files()))
    return { contentType: 'application/zip', body, filename: 'qr-codes.zip' }
  }

  async function drawLink(
    principal: Principal,
    link: Link,
    { options, file, signal }: Omit<Wanted, 'id'>,
  ): Promise<Buffer> {
    const { qrLogoMediaId } = link
    const logo = file ?? (qrLogoMediaId === null ? null : await readLogo(principal, qrLogoMediaId))
    // The level must be able to correct the part that a logo hides, and the gaps between dots.
    const level = options.level ?? (logo ? 'H' : options.shape === 'dots' ? 'Q' : 'M')
    const url = link.shortUrl + SCANNED
    const code = encode(url, level, logo !== null)
    const drawOwn: DrawLogo = (bytes, size) =>
      drawLogo(principal, signal, bytes, size, toRgb(options.bg))
    const owners = [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
    const inTurn: InTurn = (work) => queue.run(owners, signal, work)
    const { format, shape } = options
    if (format === 'png' && shape === 'square') return drawPng(code, options, logo, drawOwn, inTurn)
    const drawn = logo && (await drawOwn(logo, SVG_LOGO_PIXELS))
    if (format === 'svg' && shape === 'square') return Buffer.from(toSvg(code, options, drawn))
    return inTurn(async () => {
      const bytes = Buffer.from(await threads.run({ url, level, options, logo: drawn }))
      return format === 'png' ? rasterize(bytes) : bytes
    })
  }

  return { draw, drawAll }
}

const CONTENT_TYPES = {
  png: 'image/png',
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
} as const

/** A slug may have slashes, and links on several domains the same one. */
function nameIn(names: Set<string>, slug: string, format: string): string {
  const name = slug.replaceAll('/', '_')
  for (let number = 1; ; number++) {
    const file = number === 1 ? `${name}.${format}` : `${name}-${number}.${format}`
    if (names.has(file)) continue
    names.add(file)
    return file
  }
}

/** Draws an SVG of this program at its own size. */
async function rasterize(svg: Buffer): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(svg).png().toBuffer()
}

async function drawPng(
  code: QrCode,
  options: QrOptions,
  logo: Buffer | null,
  drawLogo: DrawLogo,
  inTurn: InTurn,
): Promise<Buffer> {
  const layout = layOut(code, options)
  const { size, scale, from } = layout
  const { blank } = code
  const logoSize = blank && Math.max(1, Math.floor((blank.count - 2 * LOGO_INSET) * scale))
  const input = logo && logoSize ? await drawLogo(logo, logoSize) : null
  const pixels = toPixels(code, layout, options)
  return inTurn(async () => {
    // Loaded with the first image, since most processes never draw one.
    const { default: sharp } = await import('sharp')
    sharp.concurrency(1)
    sharp.cache(false)
    const image = sharp(pixels, { raw: { width: size, height: size, channels: 3 } })
    if (!input || !blank) return image.png({ compressionLevel: 9 }).toBuffer()
    const at = from + Math.ceil((blank.from + LOGO_INSET) * scale)
    return image
      .composite([{ input, left: at, top: at }])
      .png()
      .toBuffer()
  })
}

function checkLogoFile(bytes: Buffer): void {
  const refuse = (
    code: 'PAYLOAD_TOO_LARGE' | 'UNSUPPORTED_MEDIA_TYPE',
    message: string,
    detail: string,
  ) => new ApiError(code, message, [{ path: 'logo', message, code: detail }])
  if (bytes.length > MAX_LOGO_BYTES)
    throw refuse('PAYLOAD_TOO_LARGE', 'The logo is larger than 64 KiB.', 'too_large')
  if (!SIGNATURES.some((signature) => bytes.subarray(0, signature.length).equals(signature)))
    throw refuse('UNSUPPORTED_MEDIA_TYPE', 'The logo must be a PNG or JPEG image.', 'media_type')
}

const Params = idParams('lnk', 'link')
const common = {
  requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
  sends: Object.values(CONTENT_TYPES),
  tag: 'Links',
} as const

export const linkQrRoutes = (links: Pick<Links, 'find'>, qr: LinkQr) => [
  route('GET /links/:id/qr', {
    ...common,
    name: 'getLinkQrCode',
    summary: 'Read the QR code of a link',
    description:
      'Sends an image of the QR code of the short URL, with the image of `qrLogoMediaId` in its middle. Scans of it count as visits with `qr=1`.',
    shapes: { params: Params, query: QrOptions },
    find: links.find,
    handle: (principal, { params, query }, signal) =>
      qr.draw(principal, { id: params.id, options: query, signal }),
  }),
  route('POST /links/qr', {
    ...common,
    sends: ['application/zip'],
    name: 'drawLinkQrCodes',
    summary: 'Read the QR codes of many links',
    description: `Sends a ZIP archive with the QR codes of up to ${MAX_CODES} links, each named by its slug.`,
    limits: { timeoutMs: TIMES.bulkRequest.ms },
    shapes: { body: QrCodes },
    handle: (principal, { body }, signal) => qr.drawAll(principal, body, signal),
  }),
  route('POST /links/:id/qr', {
    ...common,
    name: 'drawLinkQrCode',
    summary: 'Draw the QR code of a link with another logo',
    description:
      'Sends an image of the QR code with a logo in its middle: a PNG or JPEG of at most 64 KiB. Nothing is stored.',
    accepts: { multipart: true, file: 'logo' },
    shapes: { params: Params, fields: LogoQrOptions },
    find: links.find,
    handle: (principal, { params, body }, signal) =>
      qr.draw(principal, { id: params.id, options: body.fields, file: body.bytes, signal }),
  }),
]
