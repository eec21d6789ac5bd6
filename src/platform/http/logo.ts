/**
 * The logo on a grid of 24: a post with two arms. The dashboard draws the same paths (dashboard/src/kit/logo.tsx); a test
 * compares them.
 */
export const LOGO_PATHS = {
  post: 'M10.5 1h3v22h-3z',
  onArm: 'M3 3.5h14l4 3.75-4 3.75H3z',
  backArm: 'M21 12.5H7l-4 3.75L7 20h14z',
} as const

export const LOGO_COLORS = {
  light: { post: '#1b2321', onArm: '#f6c21c', backArm: '#0b5e82' },
  dark: { post: '#edefea', onArm: '#f6c21c', backArm: '#7cc4e4' },
} as const

const PARTS = ['post', 'onArm', 'backArm'] as const

export function logoSvg(): string {
  const { light, dark } = LOGO_COLORS
  const rules = PARTS.map((part) => `.${part}{fill:${light[part]}}`).join('')
  const darkRules = PARTS.map((part) => `.${part}{fill:${dark[part]}}`).join('')
  const paths = PARTS.map((part) => `<path class="${part}" d="${LOGO_PATHS[part]}"/>`).join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>${rules}@media(prefers-color-scheme:dark){${darkRules}}</style>${paths}</svg>\n`
}

export const LOGO_ELEMENT = `<svg class="logo" viewBox="0 0 24 24" aria-hidden="true">${PARTS.map(
  (part) => `<path class="${part}" d="${LOGO_PATHS[part]}"/>`,
).join('')}</svg>`
