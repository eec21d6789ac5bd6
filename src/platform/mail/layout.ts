import { isRightToLeft, type Language } from '../facts/languages.ts'
import { COLORS, escapeHtml, htmlDocument, LOGO_COLORS } from '../http/html.ts'

export type MailContent = {
  language: Language
  subject: string
  greeting: string
  lines: readonly string[]
  link?: { label: string; url: string }
  notes?: readonly string[]
}

const MAX_NAME_CHARS = 80
const MAX_SUBJECT_CHARS = 150

/**
 * One short line without control or invisible characters, and nothing that mail programs turn into links: otherwise a
 * sign-up with a stranger's address could send the stranger any message.
 */
export function plainName(name: string, maxChars = MAX_NAME_CHARS): string {
  const line = oneLine(name)
  const cut = Array.from(line).slice(0, maxChars).join('')
  // The invisible U+2060 breaks up addresses.
  return cut.replace(/[.:/@](?=\S)/g, '$&\u2060')
}

export function headerLine(text: string): string {
  return Array.from(oneLine(text)).slice(0, MAX_SUBJECT_CHARS).join('')
}

export function renderText({ greeting, lines, link, notes = [] }: MailContent): string {
  const blocks = [
    greeting,
    ...lines,
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...notes,
    '-- \nSignpost',
  ]
  return `${blocks.join('\n\n')}\n`
}

export function renderHtml(content: MailContent): string {
  const { language, subject, greeting, lines, link, notes = [] } = content
  // Mail programs drop the attributes of html and body.
  const direction = isRightToLeft(language) ? ' dir="rtl"' : ''
  const paragraphs = [greeting, ...lines].map(
    (line) => `<p class="ink" style="${STYLES.paragraph}">${escapeHtml(line)}</p>`,
  )
  const small = notes.map(
    (note) => `<p class="soft" style="${STYLES.note}">${escapeHtml(note)}</p>`,
  )
  return htmlDocument({
    language,
    title: headerLine(subject),
    head: ['<meta name="supported-color-schemes" content="light dark">'],
    style: DARK_STYLE,
    bodyAttributes: ` class="page" style="${STYLES.page}"`,
    body: `<div class="card"${direction} style="${STYLES.card}">
<p class="soft" style="${STYLES.brand}"><span dir="ltr" style="display:inline-block">${LOGO}Signpost</span></p>
${paragraphs.join('\n')}
${link ? button(link) : ''}
${small.join('\n')}
</div>`,
  })
}

const { light, dark } = COLORS

/** Programs with a dark mode read the style element; the others read the style attributes. */
const DARK_STYLE = `
@media (prefers-color-scheme: dark) {
.page { background: ${dark.page} !important }
.card { background: ${dark.card} !important; border-color: ${dark.border} !important }
.ink { color: ${dark.ink} !important }
.soft { color: ${dark.soft} !important }
.button { background: ${dark.ink} !important; color: ${dark.card} !important }
.post { background: ${LOGO_COLORS.dark.post} !important }
.back { background: ${LOGO_COLORS.dark.backArm} !important }
.point { border-right-color: ${LOGO_COLORS.dark.backArm} !important }
}
`

const STYLES = {
  page: `margin:0;padding:24px 12px;background:${light.page};font:16px/1.55 system-ui,-apple-system,Segoe UI,Roboto,sans-serif`,
  card: `max-width:520px;margin:0 auto;padding:28px 24px;background:${light.card};border:1px solid ${light.border};border-radius:5px`,
  logo: 'display:inline-block;width:24px;margin-right:8px;vertical-align:middle;font-size:0;line-height:0',
  brand: `margin:0 0 20px;font:600 13px/1 ui-monospace,Menlo,monospace;letter-spacing:.05em;color:${light.soft}`,
  paragraph: `margin:0 0 16px;color:${light.ink};word-wrap:break-word`,
  button: `display:inline-block;margin:4px 0 16px;padding:12px 20px;border-radius:5px;background:${light.ink};color:${light.card};font-weight:600;text-decoration:none`,
  url: `margin:0 0 16px;font-size:13px;color:${light.soft};word-break:break-all`,
  note: `margin:0 0 10px;font-size:14px;color:${light.soft};word-wrap:break-word`,
}

/** Boxes and borders: mail programs show neither SVG nor embedded pictures, and remote pictures would track readers. */
const LOGO = toLogo(LOGO_COLORS.light)

function toLogo({ post, onArm, backArm }: typeof LOGO_COLORS.light): string {
  const box = (style: string, name = '') =>
    `<span${name && ` class="${name}"`} style="display:inline-block;height:8px;${style}"></span>`
  const pole = `<span class="post" style="display:block;width:3px;height:3px;margin-left:11px;background:${post}"></span>`
  const arm = (content: string) =>
    `<span style="display:block;white-space:nowrap;padding-left:3px">${content}</span>`
  const point = 'width:0;height:0;border:4px solid transparent'
  const on =
    box(`width:14px;background:${onArm}`) +
    box(`${point};border-left-color:${onArm};border-right-width:0`)
  const back =
    box(`${point};border-right-color:${backArm};border-left-width:0`, 'point') +
    box(`width:14px;background:${backArm}`, 'back')
  return `<span aria-hidden="true" style="${STYLES.logo}">${pole}${arm(on)}${pole}${arm(back)}${pole}</span>`
}

function button({ label, url }: { label: string; url: string }): string {
  const href = escapeHtml(url)
  return `<p style="margin:0"><a class="button" href="${href}" style="${STYLES.button}">${escapeHtml(label)}</a></p>
<p class="soft" dir="ltr" style="${STYLES.url}">${href}</p>`
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
