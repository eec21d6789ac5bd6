import { hash } from 'node:crypto'
import { isRightToLeft, type Language } from '../facts/languages.ts'

/** The dashboard draws the same paths (dashboard/src/kit/logo.tsx). */
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

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => ESCAPES[char]!)
}

type Document = {
  language?: Language
  title: string
  head?: readonly string[]
  style?: string
  bodyAttributes?: string
  body: string
}

export function htmlDocument({
  language = 'en',
  title,
  head = [],
  style = '',
  bodyAttributes = '',
  body,
}: Document): string {
  return `<!doctype html>
<html lang="${language}"${isRightToLeft(language) ? ' dir="rtl"' : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${head.map((element) => `${element}\n`).join('')}<title>${escapeHtml(title)}</title>${style && `\n<style>${style}</style>`}
</head>
<body${bodyAttributes}>
${body}
</body>
</html>
`
}

type Page = {
  language?: Language
  title: string
  content: string
  label?: string
  /** Before the label. */
  mark?: string
  foot?: string
  /** After that of all pages. */
  style?: string
}

export function htmlPage({
  language = 'en',
  title,
  content,
  label = 'Signpost',
  mark = LOGO_ELEMENT,
  foot = '',
  style = '',
}: Page): string {
  return htmlDocument({
    language,
    title,
    head: ['<meta name="robots" content="noindex">'],
    style: PAGE_STYLE + style,
    body: `<main>
<b>${mark}${escapeHtml(label)}</b>
<h1>${escapeHtml(title)}</h1>
${content}${foot && `\n<small>${foot}</small>`}
</main>`,
  })
}

export function errorFoot(status: number, requestId: string, word = 'Error'): string {
  return `<span>${escapeHtml(word)} ${status}</span> <code>${escapeHtml(requestId)}</code>`
}

export function problemText(message: string): string {
  return `<p class="problem" role="alert">${escapeHtml(message)}</p>`
}

type Message = {
  language: Language
  title: string
  text: string
  next?: { href: string; label: string }
}

export function messagePage({ language, title, text, next }: Message): string {
  const link = next
    ? `\n<a class="button" href="${escapeHtml(next.href)}">${escapeHtml(next.label)}</a>`
    : ''
  return htmlPage({ language, title, content: `<p>${escapeHtml(text)}</p>${link}` })
}

export const COLORS = {
  light: {
    page: '#f7f6f2',
    card: '#ffffff',
    border: '#dad6cb',
    control: '#8a8577',
    ink: '#1b2321',
    soft: '#545c59',
    accent: '#0b5e82',
    problem: '#b3261e',
  },
  dark: {
    page: '#121716',
    card: '#1a2120',
    border: '#2c3533',
    control: '#6e7a77',
    ink: '#edefea',
    soft: '#a7b0ac',
    accent: '#7cc4e4',
    problem: '#ff9b90',
  },
} as const

type Palette = (typeof COLORS)[keyof typeof COLORS]

const toVariables = (palette: Palette) =>
  Object.entries(palette)
    .map(([name, color]) => `--${name}:${color}`)
    .join(';')

/** Content security policies name this style by its hash. */
const PAGE_STYLE = `
:root{color-scheme:light dark;${toVariables(COLORS.light)}}
@media(prefers-color-scheme:dark){:root{${toVariables(COLORS.dark)}}}
*{box-sizing:border-box}
body{margin:0;min-height:100svh;display:grid;place-items:center;padding:1.25rem;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--page)}
main{width:100%;max-width:26rem;padding:1.75rem 1.5rem;background:var(--card);border:1px solid var(--border);border-radius:5px}
b{display:flex;align-items:center;gap:.5rem;font:600 .8125rem/1.2 ui-monospace,monospace;letter-spacing:.05em;color:var(--soft);overflow-wrap:anywhere}
.logo{flex:none;width:1.5rem;height:1.5rem}
.post{fill:var(--ink)}
.onArm{fill:${LOGO_COLORS.light.onArm}}
.backArm{fill:var(--accent)}
h1{font-size:1.5rem;line-height:1.25;margin:.75rem 0 .75rem;text-wrap:balance;overflow-wrap:anywhere}
p{margin:0 0 1rem;color:var(--soft);overflow-wrap:anywhere}
p:last-child{margin:0}
strong{color:var(--ink)}
small{display:flex;flex-wrap:wrap;gap:.25rem .75rem;margin-top:1.5rem;padding-top:1rem;border-top:1px solid var(--border);color:var(--soft);font-size:.8125rem;line-height:1.4}
small a{color:inherit}
code{font:.75rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.problem{color:var(--problem);font-weight:600}
form{margin:1.25rem 0 0}
form+p{margin-top:1rem}
label{display:block;font-weight:600;margin:0 0 .35rem}
input,select,textarea,button,.button{width:100%;min-height:2.75rem;font:inherit;border-radius:5px;border:1px solid var(--control)}
input,select,textarea{padding:.5rem .75rem;margin:0 0 1rem;color:inherit;background:transparent}
option{color:var(--ink);background:var(--card)}
button,.button{display:grid;place-items:center;padding:.5rem 1rem;font-weight:600;text-align:center;text-decoration:none;cursor:pointer;color:var(--card);background:var(--ink);border-color:transparent}
.quiet{margin:.75rem 0 0;color:inherit;background:transparent;border-color:var(--control)}
ul{margin:0 0 1rem;padding:0;list-style:none}
li+li{margin-top:.75rem}
a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
`

const STYLE_ELEMENT = /<style[^>]*>([\s\S]*?)<\/style>/g

export function contentPolicy(directives: Readonly<Record<string, string>>): string {
  return Object.entries({ 'default-src': "'none'", ...directives })
    .concat([
      ['frame-ancestors', "'none'"],
      ['base-uri', "'none'"],
    ])
    .map(([name, value]) => `${name} ${value}`.trim())
    .join('; ')
}

export function styleHashes(html: string): string {
  const hashes = Array.from(
    html.matchAll(STYLE_ELEMENT),
    ([, style]) => `'sha256-${hash('sha256', style!, 'base64')}'`,
  )
  return hashes.join(' ') || "'none'"
}

export const DASHBOARD_PATH = '/app/'
