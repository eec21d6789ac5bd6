import { type FontName, type Look, type Palette, isDark } from '../../platform/facts/page-theme.ts'

const FONTS: Record<FontName, string> = {
  sans: 'system-ui,-apple-system,"Segoe UI",Roboto,sans-serif',
  serif: 'ui-serif,"Iowan Old Style",Charter,Georgia,"Times New Roman",serif',
  rounded: 'ui-rounded,"Hiragino Maru Gothic ProN",Quicksand,Nunito,system-ui,sans-serif',
  mono: 'ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace',
}

/** Selectors and height of a page: as a document, or below a shadow root. */
type Places = { root: string; page: string; body: string; height: string }

const ROOT_PX = 16
const REM = /(\d*\.?\d+)rem\b/g

const DOCUMENT: Places = { root: ':root', page: 'html', body: 'body', height: '100svh' }
/** The class of the element that replaces the body below a shadow root. */
export const BODY_CLASS = 'body'
const SHADOW: Places = {
  root: ':host',
  page: ':host',
  body: `.${BODY_CLASS}`,
  height: '100%',
}

/** All values come from lists and from validated colors. */
export function toStyle(look: Look): string {
  return styleFor(look, DOCUMENT)
}

/** Below a shadow root, `rem` would mean the font size of the surrounding document. */
export function toShadowStyle(look: Look): string {
  return styleFor(look, SHADOW).replace(REM, (_, count: string) => `${Number(count) * ROOT_PX}px`)
}

function styleFor({ light, dark, font, radiusPx }: Look, places: Places): string {
  const { root, page, body, height } = places
  const scheme = dark === null ? (isDark(light) ? 'dark' : 'light') : 'light dark'
  const darkRule =
    dark === null ? '' : `@media(prefers-color-scheme:dark){${root}{${toVariables(dark)}}}`
  return `
${root}{color-scheme:${scheme};${toVariables(light)};--radius:${radiusPx}px}${darkRule}
*{box-sizing:border-box}
${page}{background:var(--end);-webkit-text-size-adjust:100%}
${body}{margin:0;min-height:${height};${BODY}}
${RULES}${body}{font-family:${FONTS[font]}}
`
}

function toVariables({ background, backgroundEnd, text, accent, label }: Palette): string {
  return `--top:${background};--end:${backgroundEnd};--text:${text};--accent:${accent};--label:${label}`
}

const BODY =
  'color:var(--text);background:linear-gradient(168deg,var(--top),var(--end));font-size:1rem;line-height:1.5;overflow-wrap:anywhere;-webkit-font-smoothing:antialiased'

const RULES = `main{display:flex;flex-direction:column;gap:.875rem;max-width:36rem;margin:0 auto;padding:3.5rem 1.25rem 4rem}
a{color:inherit}
:focus-visible{outline:3px solid var(--text);outline-offset:3px}
.avatar{align-self:center;width:6.5rem;height:6.5rem;border-radius:50%;object-fit:cover;box-shadow:0 0 0 3px var(--top),0 0 0 5px var(--accent)}
h1{margin:.5rem 0 0;font-size:1.625rem;line-height:1.2;letter-spacing:-.015em;text-align:center;text-wrap:balance}
.about{margin:-.25rem auto .5rem;max-width:28rem;text-align:center;white-space:pre-line;text-wrap:pretty}
.socials{display:flex;flex-wrap:wrap;justify-content:center;gap:.25rem;margin:0 0 .5rem;padding:0;list-style:none}
.socials a{display:grid;place-items:center;width:2.875rem;height:2.875rem;border-radius:50%;transition:transform .15s}
.socials a:hover{transform:scale(1.12)}
svg{width:1.5rem;height:1.5rem;fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.link{display:grid;grid-template-columns:2.25rem 1fr 2.25rem;align-items:center;min-height:3.75rem;padding:.75rem 1rem;border-radius:var(--radius);color:var(--label);background:var(--accent);font-weight:600;line-height:1.3;text-align:center;text-decoration:none;box-shadow:0 1px 2px rgb(0 0 0/.12),0 6px 16px -8px rgb(0 0 0/.35);transition:transform .15s,box-shadow .15s}
.link:hover{transform:translateY(-2px);box-shadow:0 2px 4px rgb(0 0 0/.14),0 14px 24px -10px rgb(0 0 0/.4)}
.link:active{transform:none}
.link>:first-child{font-size:1.375rem;line-height:1}
h2{margin:1.25rem 0 0;font-size:1.0625rem;line-height:1.3;text-align:center}
.text{margin:0;white-space:pre-line;text-align:center;text-wrap:pretty}
.image{display:block;margin:0}
.image img{display:block;width:100%;height:auto;border-radius:var(--radius)}
.embed{display:grid;grid-template-columns:3rem 1fr;gap:.875rem;align-items:center;min-height:4.5rem;padding:.75rem 1rem;border:1.5px solid currentColor;border-radius:var(--radius);text-decoration:none;transition:transform .15s}
.embed:hover{transform:translateY(-2px)}
.embed svg{width:3rem;height:3rem;stroke-width:1.25}
.embed b{display:block;line-height:1.3}
.embed small{font-size:.875rem}
@media(prefers-reduced-motion:reduce){*{transition:none!important}}
`
