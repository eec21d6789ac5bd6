import { encodeQR } from 'qr'
import { invalid } from '../../platform/core/errors.ts'
import { toRgb, type Level, type QrOptions } from './qr-options.ts'

const NAMES = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const
/** Bytes of text that fit into the largest code (ISO/IEC 18004, table 7). */
const MAX_BYTES: Record<Level, number> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 }
/** Below a third of what the level can correct: errors in one place fall on fewer blocks than spread ones. */
const LOGO_SHARE: Record<Level, number> = { L: 0.12, M: 0.16, Q: 0.2, H: 0.24 }

export type QrCode = {
  count: number
  isDark: (x: number, y: number) => boolean
  /** The square in the middle that is left blank for a logo. */
  blank: { from: number; count: number } | null
}

export function encode(text: string, level: Level, hasLogo: boolean): QrCode {
  const modules = toModules(text, level)
  const { length: count } = modules
  const side = Math.floor(count * LOGO_SHARE[level])
  // Odd like the number of modules, so that the square is in the middle.
  const blankCount = side - ((side + 1) % 2)
  const blank = hasLogo ? { from: (count - blankCount) / 2, count: blankCount } : null
  const isBlank = (at: number) => blank && at >= blank.from && at < blank.from + blank.count
  return {
    count,
    blank,
    isDark: (x, y) => modules[y]![x]! && !(isBlank(x) && isBlank(y)),
  }
}

function toModules(text: string, level: Level): boolean[][] {
  if (Buffer.byteLength(text) > MAX_BYTES[level])
    throw invalid('level', 'The short URL is too long for a code of this level. Use level L.')
  // The package draws a border of at least one module.
  const bordered = encodeQR(text, 'raw', { ecc: NAMES[level], encoding: 'byte', border: 1 })
  return bordered.slice(1, -1).map((line) => line.slice(1, -1))
}

export type Layout = { size: number; scale: number; from: number }

export function layOut({ count }: QrCode, { size, margin }: QrOptions): Layout {
  const modules = count + 2 * margin
  const scale = Math.floor(size / modules)
  if (scale < 1)
    throw invalid('size', `size must be ${modules} or more for this link and this margin.`)
  return { size, scale, from: Math.floor((size - count * scale) / 2) }
}

/** Three bytes per pixel. */
export function toPixels(
  code: QrCode,
  { size, scale, from }: Layout,
  { fg, bg }: QrOptions,
): Buffer {
  const pixels = Buffer.alloc(size * size * 3, Buffer.from(toRgb(bg)))
  const run = Buffer.alloc(scale * 3, Buffer.from(toRgb(fg)))
  const line = size * 3
  for (let y = 0; y < code.count; y++) {
    const first = (from + y * scale) * line
    for (let x = 0; x < code.count; x++)
      if (code.isDark(x, y)) run.copy(pixels, first + (from + x * scale) * 3)
    for (let copy = 1; copy < scale; copy++)
      pixels.copy(pixels, first + copy * line, first, first + line)
  }
  return pixels
}

export function toSvg(code: QrCode, options: QrOptions, logo: Buffer | null): string {
  const { size, margin, fg, bg } = options
  const side = code.count + 2 * margin
  let path = ''
  for (let y = 0; y < code.count; y++)
    for (let x = 0; x < code.count; x++) {
      if (!code.isDark(x, y)) continue
      const from = x
      while (x + 1 < code.count && code.isDark(x + 1, y)) x++
      path += `M${from + margin} ${y + margin}h${x + 1 - from}v1h-${x + 1 - from}z`
    }
  const { blank } = code
  let image = ''
  if (logo && blank) {
    const [at, width] = [blank.from + margin + LOGO_INSET, blank.count - 2 * LOGO_INSET]
    image = `<image x="${at}" y="${at}" width="${width}" height="${width}" href="data:image/png;base64,${logo.toString('base64')}"/>`
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#${bg}" d="M0 0h${side}v${side}H0z"/><path fill="#${fg}" d="${path}"/>${image}</svg>\n`
}

/** Modules between the logo and the code. */
export const LOGO_INSET = 0.5
