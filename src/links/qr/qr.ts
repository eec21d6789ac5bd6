import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { route, type Sent } from '../../platform/routes/route.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
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
import { idParams } from '../../platform/resources/shapes.ts'
import type { Links } from '../link/links.ts'

export type LogoReaders = Pick<Deps, 'readLogo' | 'drawLogo'>

type Deps = {
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

type Drawing = {
  id: string
  options: QrOptions
  file?: Buffer
  signal?: AbortSignal | undefined
}
type DrawLogo = (logo: Buffer, size: number) => Promise<Buffer>

export type LinkQr = ReturnType<typeof createLinkQr>

/** Visits with this parameter count as scans. */
const SCANNED = '?qr=1'
/** Pixels of a logo in an SVG, which has no size of its own. */
const SVG_LOGO_PIXELS = 256
const MAX_LOGO_BYTES = 64 * 1024
const SIGNATURES = [Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from('ffd8ff', 'hex')]

export function createLinkQr({ getLink, readLogo, drawLogo }: Deps) {
  const queue = new FairQueue(PLACES.drawings)

  async function draw(principal: Principal, { id, options, file, signal }: Drawing): Promise<Sent> {
    checkColors(options)
    if (file) checkLogoFile(file)
    const link = await getLink(principal, id)
    const { qrLogoMediaId } = link
    const logo = file ?? (qrLogoMediaId === null ? null : await readLogo(principal, qrLogoMediaId))
    // The level must be able to correct the part that a logo hides.
    const level = options.level ?? (logo ? 'H' : 'M')
    const code = encode(link.shortUrl + SCANNED, level, logo !== null)
    const drawOwn: DrawLogo = (bytes, size) =>
      drawLogo(principal, signal, bytes, size, toRgb(options.bg))
    const owners = [`user:${principal.userId}`, `workspace:${principal.workspaceId}`]
    const body =
      options.format === 'svg'
        ? Buffer.from(toSvg(code, options, logo && (await drawOwn(logo, SVG_LOGO_PIXELS))))
        : await drawPng(code, options, logo, drawOwn, (work) => queue.run(owners, signal, work))
    return {
      contentType: options.format === 'svg' ? 'image/svg+xml' : 'image/png',
      body,
      filename: `${link.slug}.${options.format}`,
      isInline: true,
      etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    }
  }

  return { draw }
}

async function drawPng(
  code: QrCode,
  options: QrOptions,
  logo: Buffer | null,
  drawLogo: DrawLogo,
  inTurn: (work: () => Promise<Buffer>) => Promise<Buffer>,
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
  sends: ['image/png', 'image/svg+xml'],
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
