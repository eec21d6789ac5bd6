import { buffer } from 'node:stream/consumers'
import { lowerThreadPriority } from '../../platform/work/priority.ts'
import {
  encode,
  placeOfLogo,
  toPath,
  toSvg,
  type Level,
  type QrCode,
  type QrOptions,
} from './qr-code.ts'

lowerThreadPriority()

export type Drawing = { url: string; level: Level; options: QrOptions; logo: Uint8Array | null }

/** A PDF, or an SVG for the other formats. The longest URL has 15,000 shapes of eight lines and curves. */
export async function run({ url, level, options, logo }: Drawing): Promise<Uint8Array> {
  const code = encode(url, level, logo !== null)
  const image = logo && Buffer.from(logo)
  return options.format === 'pdf'
    ? drawPdf(code, options, image)
    : Buffer.from(toSvg(code, options, image))
}

/** One page of the size of the code, in points. */
async function drawPdf(code: QrCode, options: QrOptions, logo: Buffer | null): Promise<Buffer> {
  const { default: PdfDocument } = await import('pdfkit')
  const { size, margin, fg, bg, shape } = options
  const document = new PdfDocument({ size: [size, size], margin: 0 })
  const scale = size / (code.count + 2 * margin)
  document.rect(0, 0, size, size).fill(`#${bg}`)
  document
    .save()
    .scale(scale)
    .path(toPath(code, margin, shape))
    .fill(`#${fg}`, 'even-odd')
  document.restore()
  const at = logo && placeOfLogo(code, margin)
  if (at) document.image(logo, at.from * scale, at.from * scale, { width: at.width * scale })
  document.end()
  return buffer(document)
}
