import { Type, type Static } from 'typebox'
import { invalid, itIs } from '../../platform/core/errors.ts'
import { described, documented } from '../../platform/routes/shape.ts'
import { integer, text } from '../../platform/resources/shapes.ts'

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
    Type.Unsafe<'png' | 'svg'>({ type: 'string', enum: ['png', 'svg'], default: 'png' }),
    'Format of the image.',
    'png',
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
    level('L, M, Q or H. By default H with a logo, which covers a part of the code, else M.'),
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
