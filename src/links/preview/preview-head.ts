import type { Parser } from 'htmlparser2'

export type PageFacts = Record<
  'title' | 'description' | 'image' | 'favicon' | 'siteName',
  string | null
>

export const PREVIEW_TITLE_MAX_CHARS = 255
const PREVIEW_DESCRIPTION_MAX_CHARS = 1_000
const PREVIEW_URL_MAX_CHARS = 2_048

/** A head has no nested elements. The parser's work on a tag grows with the number of open ones. */
const MAX_OPEN_ELEMENTS = 64
const MAX_RAW_CHARS = 20_000
const CONTROL = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

const TITLES = ['og:title', 'twitter:title']
const DESCRIPTIONS = ['og:description', 'twitter:description', 'description']
const IMAGES = [
  'og:image:secure_url',
  'og:image',
  'og:image:url',
  'twitter:image',
  'twitter:image:src',
]
const SITE_NAMES = ['og:site_name']
const NAMES = new Set([...TITLES, ...DESCRIPTIONS, ...IMAGES, ...SITE_NAMES])

export class HeadReader {
  readonly #parser: Parser
  readonly #metas = new Map<string, string>()
  #title = ''
  #hasTitle = false
  #isInTitle = false
  #icon: string | null = null
  #touchIcon: string | null = null
  #base: string | null = null
  #open = 0
  #isDone = false

  /** Loads the parser with the first page, since most processes never read one. */
  static async open(): Promise<HeadReader> {
    return new HeadReader((await import('htmlparser2')).Parser)
  }

  private constructor(HtmlParser: typeof Parser) {
    this.#parser = new HtmlParser({
      onopentag: (name, attributes) => this.#openTag(name, attributes),
      onclosetag: (name) => this.#closeTag(name),
      ontext: (text) => {
        if (this.#isInTitle && this.#title.length < MAX_RAW_CHARS) this.#title += text
      },
    })
  }

  get isDone(): boolean {
    return this.#isDone
  }

  write(text: string): void {
    if (!this.#isDone) this.#parser.write(text)
  }

  facts(url: string, isAllowed: (url: URL) => boolean): PageFacts {
    const base = URL.parse(this.#base ?? '', url)?.href ?? url
    const toAddress = (text: string | null) => toUrl(text, base, isAllowed)
    return {
      title: toText(this.#meta(TITLES) ?? this.#title, PREVIEW_TITLE_MAX_CHARS),
      description: toText(this.#meta(DESCRIPTIONS), PREVIEW_DESCRIPTION_MAX_CHARS),
      image: toAddress(this.#meta(IMAGES)),
      favicon: toAddress(this.#icon ?? this.#touchIcon),
      siteName: toText(this.#meta(SITE_NAMES), PREVIEW_TITLE_MAX_CHARS),
    }
  }

  #openTag(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#open++
    if (name === 'body' || this.#open > MAX_OPEN_ELEMENTS) return this.#end()
    if (name === 'title') this.#isInTitle = !this.#hasTitle
    else if (name === 'base') this.#base ??= attributes['href'] ?? null
    else if (name === 'meta') this.#addMeta(attributes)
    else if (name === 'link') this.#addLink(attributes)
  }

  #closeTag(name: string): void {
    this.#open--
    if (name === 'head') return this.#end()
    if (name !== 'title' || !this.#isInTitle) return
    this.#isInTitle = false
    this.#hasTitle = true
  }

  #addMeta({ property, name, content }: Readonly<Record<string, string>>): void {
    const key = (property ?? name ?? '').trim().toLowerCase()
    if (!NAMES.has(key) || !content?.trim() || this.#metas.has(key)) return
    this.#metas.set(key, content.slice(0, MAX_RAW_CHARS))
  }

  #addLink({ rel, href }: Readonly<Record<string, string>>): void {
    if (rel === undefined || !href) return
    const kinds = rel.slice(0, 100).toLowerCase().split(/\s+/)
    if (kinds.includes('icon')) this.#icon ??= href
    else if (kinds.includes('apple-touch-icon')) this.#touchIcon ??= href
  }

  #meta(names: readonly string[]): string | null {
    const name = names.find((candidate) => this.#metas.has(candidate))
    return name === undefined ? null : this.#metas.get(name)!
  }

  #end(): void {
    this.#isDone = true
    this.#parser.pause()
  }
}

/** One line of readable text; null if nothing is left. */
export function toText(text: string | null, maxChars: number): string | null {
  if (text === null) return null
  const line = text.replace(/\s+/g, ' ').replace(CONTROL, '').trim()
  const chars = Array.from(line)
  const short = chars.length > maxChars ? `${chars.slice(0, maxChars - 1).join('')}…` : line
  return short === '' ? null : short
}

function toUrl(text: string | null, base: string, isAllowed: (url: URL) => boolean): string | null {
  const url = text === null ? null : URL.parse(text.trim(), base)
  return url && url.href.length <= PREVIEW_URL_MAX_CHARS && isAllowed(url) ? url.href : null
}
