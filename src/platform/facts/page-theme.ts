export const PRESETS = [
  ...(['plain', 'paper', 'midnight', 'sunrise', 'forest', 'ocean'] as const),
  ...(['candy', 'clay', 'mono', 'neon'] as const),
] as const
type PresetName = (typeof PRESETS)[number]

export const FONTS = ['sans', 'serif', 'rounded', 'mono'] as const
export type FontName = (typeof FONTS)[number]

/** Null takes the preset's value. */
export type PageTheme = {
  preset: PresetName
  background: string | null
  text: string | null
  accent: string | null
  font: FontName | null
}

export type Palette = {
  background: string
  backgroundEnd: string
  text: string
  accent: string
  label: string
}

export type Look = {
  light: Palette
  dark: Palette | null
  font: FontName
  radiusPx: number
}

/** WCAG 2.2, success criterion 1.4.3. */
export const MIN_CONTRAST = 4.5

type Colors = readonly [background: string, backgroundEnd: string, text: string, accent: string]
type Preset = { colors: Colors; dark?: Colors; font: FontName; radiusPx: number }

const LOOKS: Record<PresetName, Preset> = {
  plain: {
    colors: ['#f7f6f2', '#f7f6f2', '#1b2321', '#1b2321'],
    dark: ['#121716', '#121716', '#edefea', '#edefea'],
    ...{ font: 'sans', radiusPx: 14 },
  },
  paper: {
    colors: ['#faf5ec', '#f3e9d8', '#2b2118', '#9a4420'],
    ...{ font: 'serif', radiusPx: 6 },
  },
  midnight: {
    colors: ['#0b1026', '#26346e', '#f2f4ff', '#b3c1ff'],
    ...{ font: 'sans', radiusPx: 28 },
  },
  sunrise: {
    colors: ['#ffe3c9', '#ffb9c6', '#3d1526', '#3d1526'],
    ...{ font: 'rounded', radiusPx: 28 },
  },
  forest: {
    colors: ['#10281d', '#1f4d37', '#eef7ee', '#d7f26d'],
    ...{ font: 'sans', radiusPx: 12 },
  },
  ocean: {
    colors: ['#e9f6fc', '#b9dff0', '#0a2b3c', '#0a4f70'],
    ...{ font: 'sans', radiusPx: 18 },
  },
  candy: {
    colors: ['#fdf0ff', '#e3d6ff', '#35144f', '#7d29b6'],
    ...{ font: 'rounded', radiusPx: 28 },
  },
  clay: {
    colors: ['#e9dccb', '#dcc8b0', '#35261a', '#35261a'],
    ...{ font: 'serif', radiusPx: 16 },
  },
  mono: { colors: ['#ffffff', '#ffffff', '#0a0a0a', '#0a0a0a'], font: 'mono', radiusPx: 0 },
  neon: { colors: ['#0a0a0f', '#15151f', '#f4f4f5', '#b7ff2a'], font: 'mono', radiusPx: 8 },
}

/** A theme with a color of its own has no dark look. */
export function toLook({ preset, background, text, accent, font }: PageTheme): Look {
  const { colors, dark, font: usual, radiusPx } = LOOKS[preset]
  const hasOwn = background !== null || text !== null || accent !== null
  const own: Colors = [
    background ?? colors[0],
    background ?? colors[1],
    text ?? colors[2],
    accent ?? colors[3],
  ]
  const isDarkToo = dark !== undefined && !hasOwn
  return {
    light: toPalette(own),
    dark: isDarkToo ? toPalette(dark) : null,
    font: font ?? usual,
    radiusPx,
  }
}

function toPalette([background, backgroundEnd, text, accent]: Colors): Palette {
  return { background, backgroundEnd, text, accent, label: labelOn(accent, background, text) }
}

/** The first of the wanted colors that is readable there, else white or black. */
export function labelOn(color: string, ...wanted: readonly string[]): string {
  // Black or white always has a contrast of 4.58 or more.
  return [...wanted, '#ffffff', '#000000'].find(
    (label) => contrastOf(label, color) >= MIN_CONTRAST,
  )!
}

export function leastContrast({ background, backgroundEnd, text }: Palette): number {
  return Math.min(contrastOf(text, background), contrastOf(text, backgroundEnd))
}

export function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b)
  return (lighter! + 0.05) / (darker! + 0.05)
}

function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

export function isDark({ background }: Palette): boolean {
  return luminanceOf(background) < 0.18
}
