import { createHash } from 'node:crypto'
import type { Sent } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { encode, layOut, LOGO_INSET, toPixels, toSvg, type QrCode } from './qr-code.ts'
import { checkColors, toRgb, type QrOptions } from './qr-options.ts'
import { checkLogoFile, toPng } from './raster.ts'
import type { Link } from '../link/schema.ts'

export type LogoReaders = Pick<Deps, 'readLogo' | 'drawLogo'>

type Deps = {
  getLink: (principal: Principal, id: string) => Promise<Link>
  /** The encoded copy of an uploaded image; null when it is gone. */
  readLogo: (principal: Principal, mediaId: string) => Promise<Buffer | null>
  /** A logo as a square PNG of this size on a color. @throws ApiError VALIDATION_ERROR, RATE_LIMITED */
  drawLogo: (
    principal: Principal,
    signal: AbortSignal | undefined,
    bytes: Buffer,
    size: number,
    background: readonly [red: number, green: number, blue: number],
  ) => Promise<Buffer>
}

type Asked = { id: string; options: QrOptions; file?: Buffer; signal?: AbortSignal | undefined }

export type LinkQr = ReturnType<typeof createLinkQr>

/** The visits of this parameter are counted as scans of a code. */
const SCANNED = '?qr=1'
/** Pixels of a logo in an SVG, which has no size of its own. */
const SVG_LOGO_PIXELS = 256

/** QR codes of short URLs. */
export function createLinkQr({ getLink, readLogo, drawLogo }: Deps) {
  /**
   * @param asked.file the logo, in place of that of the link
   * @throws ApiError VALIDATION_ERROR, and those of the file: PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE
   */
  async function drawCode(
    principal: Principal,
    { id, options, file, signal }: Asked,
  ): Promise<Sent> {
    checkColors(options)
    if (file) checkLogoFile(file)
    const link = await getLink(principal, id)
    const { qrLogoMediaId } = link
    const logo = file ?? (qrLogoMediaId === null ? null : await readLogo(principal, qrLogoMediaId))
    // A logo hides a part of the code, which the level must be able to correct.
    const level = options.level ?? (logo ? 'H' : 'M')
    const code = encode(link.shortUrl + SCANNED, level, logo !== null)
    const draw: Draw = (bytes, size) => drawLogo(principal, signal, bytes, size, toRgb(options.bg))
    const body =
      options.format === 'svg'
        ? await drawSvg(code, options, logo, draw)
        : await toPng(principal, signal, await layOutPng(code, options, logo, draw))
    return {
      contentType: options.format === 'svg' ? 'image/svg+xml' : 'image/png',
      body,
      filename: `${link.slug}.${options.format}`,
      isInline: true,
      etag: createHash('sha256').update(body).digest('base64url').slice(0, 22),
    }
  }

  return { draw: drawCode }
}

/** Draws the logo as a square PNG of this size. */
type Draw = (logo: Buffer, size: number) => Promise<Buffer>

async function drawSvg(
  code: QrCode,
  options: QrOptions,
  logo: Buffer | null,
  draw: Draw,
): Promise<Buffer> {
  const image = logo ? await draw(logo, SVG_LOGO_PIXELS) : null
  return Buffer.from(toSvg(code, options, image))
}

async function layOutPng(code: QrCode, options: QrOptions, logo: Buffer | null, draw: Draw) {
  const layout = layOut(code, options)
  const { scale, from } = layout
  const { blank } = code
  const placed = blank && {
    from: from + Math.ceil((blank.from + LOGO_INSET) * scale),
    size: Math.max(1, Math.floor((blank.count - 2 * LOGO_INSET) * scale)),
  }
  const image = logo && placed ? { image: await draw(logo, placed.size), from: placed.from } : null
  return { pixels: toPixels(code, layout, options), size: layout.size, image }
}
