import { encodeQR } from 'qr'
import { invalid, itIs } from '../../platform/core/errors.ts'
import { Type, type Static } from 'typebox'
import { described, documented } from '../../platform/routes/shape.ts'
import { integer, text } from '../../platform/resources/shapes.ts'

const NAMES = { L: 'low', M: 'medium', Q: 'quartile', H: 'high' } as const
/** Bytes of text that fit into the largest code (ISO/IEC 18004, table 7). */
const MAX_BYTES: Record<Level, number> = { L: 2_953, M: 2_331, Q: 1_663, H: 1_273 }
/**
 * Below a third of what the level can correct, because the errors that a logo causes fall on few blocks instead of
 * all.
 */
const LOGO_SHARE: Record<Level, number> = { L: 0.12, M: 0.16, Q: 0.2, H: 0.24 }

export type QrCode = {
  count: number
  isDark: (x: number, y: number) => boolean
  /** The square in the middle that is left blank for a logo. */
  blank: { from: number; count: number } | null
}

export function encode(url: string, level: Level, hasLogo: boolean): QrCode {
  const modules = toModules(url, level)
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

function toModules(url: string, level: Level): boolean[][] {
  if (Buffer.byteLength(url) > MAX_BYTES[level])
    throw invalid('level', 'The short URL is too long for a code of this level. Use level L.')
  // The package draws a border of at least one module.
  const bordered = encodeQR(url, 'raw', { ecc: NAMES[level], encoding: 'byte', border: 1 })
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
export function toPixels(code: QrCode, { size, scale, from }: Layout, { fg, bg }: QrOptions) {
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
  const { size, margin, fg, bg, shape } = options
  const side = code.count + 2 * margin
  const at = logo && placeOfLogo(code, margin)
  const image = at
    ? `<image x="${at.from}" y="${at.from}" width="${at.width}" height="${at.width}" href="data:image/png;base64,${logo.toString('base64')}"/>`
    : ''
  const crisp = shape === 'square' ? ' shape-rendering="crispEdges"' : ''
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 ${side} ${side}"${crisp}><path fill="#${bg}" d="M0 0h${side}v${side}H0z"/><path fill="#${fg}" fill-rule="evenodd" d="${toPath(code, margin, shape)}"/>${image}</svg>\n`
}

/** The square of a logo, in modules. */
export function placeOfLogo({ blank }: QrCode, margin: number) {
  return blank && { from: blank.from + margin + LOGO_INSET, width: blank.count - 2 * LOGO_INSET }
}

/** The dark modules as a path on a grid of modules; where shapes overlap they are light. */
export function toPath(code: QrCode, margin: number, shape: Shape): string {
  if (shape === 'square') return toRows(code, margin)
  let path = ''
  for (const [x, y] of eyesOf(code)) path += eye(x + margin, y + margin)
  for (let y = 0; y < code.count; y++)
    for (let x = 0; x < code.count; x++)
      if (code.isDark(x, y) && !isInEye(code, x, y)) path += MODULES[shape](x + margin, y + margin)
  return path
}

function toRows(code: QrCode, margin: number): string {
  let path = ''
  for (let y = 0; y < code.count; y++)
    for (let x = 0; x < code.count; x++) {
      if (!code.isDark(x, y)) continue
      const from = x
      while (x + 1 < code.count && code.isDark(x + 1, y)) x++
      path += `M${from + margin} ${y + margin}h${x + 1 - from}v1h-${x + 1 - from}z`
    }
  return path
}

/** Finder patterns of seven modules, by which readers find the code: they are drawn whole. */
const EYE = 7

function eyesOf({ count }: QrCode): [x: number, y: number][] {
  return [
    [0, 0],
    [count - EYE, 0],
    [0, count - EYE],
  ]
}

function isInEye(code: QrCode, x: number, y: number): boolean {
  return eyesOf(code).some(
    ([left, top]) => x >= left && x < left + EYE && y >= top && y < top + EYE,
  )
}

type Drawn = (x: number, y: number) => string
const MODULES: Record<Exclude<Shape, 'square'>, Drawn> = {
  rounded: (x, y) => roundedSquare(x + 0.03, y + 0.03, 0.94, 0.3),
  dots: (x, y) => roundedSquare(x, y, 1, 0.4),
}
/** The part of the width that a corner takes: some readers do not find circles. */
const EYE_CORNER = 0.3

function eye(x: number, y: number): string {
  return [7, 5, 3]
    .map((width) => {
      const inset = (EYE - width) / 2
      return roundedSquare(x + inset, y + inset, width, width * EYE_CORNER)
    })
    .join('')
}

function roundedSquare(x: number, y: number, width: number, radius: number): string {
  const [straight, r] = [rounded(width - 2 * radius), rounded(radius)]
  const corner = (dx: number, dy: number) => `a${r} ${r} 0 0 1 ${dx} ${dy}`
  return `M${rounded(x + radius)} ${rounded(y)}h${straight}${corner(r, r)}v${straight}${corner(-r, r)}h${-straight}${corner(-r, -r)}v${-straight}${corner(r, -r)}z`
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

/** Modules between the logo and the code. */
export const LOGO_INSET = 0.5

export const SHAPES = ['square', 'rounded', 'dots'] as const
export type Shape = (typeof SHAPES)[number]

const FORMATS = ['png', 'svg', 'pdf'] as const

export const LEVELS = ['L', 'M', 'Q', 'H'] as const
export type Level = (typeof LEVELS)[number]

/** Common readers find no code below this contrast. */
const MIN_CONTRAST = 3
const COLOR = /^[0-9a-fA-F]{6}$/

const color = (description: string, fallback: string) =>
  documented(text(`${description}: six hexadecimal digits.`, fallback, { default: fallback }), {
    pattern: COLOR.source,
  })
const level = (description: string) =>
  described(
    Type.Unsafe<Level>({ type: 'string', enum: [...LEVELS] }),
    `Level of error correction: ${description}`,
    'M',
  )

const shared = {
  format: described(
    Type.Unsafe<(typeof FORMATS)[number]>({ type: 'string', enum: [...FORMATS], default: 'png' }),
    'Format of the image.',
    'png',
  ),
  shape: described(
    Type.Unsafe<Shape>({ type: 'string', enum: [...SHAPES], default: 'square' }),
    'Shape of the modules.',
    'rounded',
  ),
  size: integer('Width and height in pixels.', 600, { minimum: 64, maximum: 2_048, default: 600 }),
  margin: integer('Margin around the code, in modules of the code.', 4, {
    minimum: 0,
    maximum: 16,
    default: 4,
  }),
  fg: color('Color of the code', '000000'),
  bg: color('Color of the background', 'ffffff'),
}

export const QrOptions = Type.Object({
  ...shared,
  level: Type.Optional(
    level(
      'L, M, Q or H. By default H with a logo, which covers a part of the code, Q with dots, else M.',
    ),
  ),
})
export const LogoQrOptions = Type.Object({
  ...shared,
  level: Type.Optional(
    level('L, M, Q or H. H by default, since the logo covers a part of the code.'),
  ),
})
export type QrOptions = Static<typeof QrOptions>

export function checkColors({ fg, bg }: Pick<QrOptions, 'fg' | 'bg'>): void {
  for (const [path, value] of Object.entries({ fg, bg }))
    if (!COLOR.test(value))
      throw invalid(
        path,
        `${path} must be six hexadecimal digits, such as 1a2b3c${itIs(path, value)}.`,
      )
  const [light, dark] = [luminanceOf(fg), luminanceOf(bg)].toSorted((a, b) => b - a)
  const contrast = (light! + 0.05) / (dark! + 0.05)
  if (contrast < MIN_CONTRAST)
    throw invalid(
      'fg',
      `The contrast of fg and bg is ${contrast.toFixed(1)}:1, but readers need ${MIN_CONTRAST}:1. Choose a darker or lighter color.`,
      'contrast',
    )
}

export function toRgb(digits: string): [number, number, number] {
  const [red, green, blue] = [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16))
  return [red!, green!, blue!]
}

function luminanceOf(digits: string): number {
  const [red, green, blue] = toRgb(digits).map((part) => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}
