/** The languages of visitor pages and mails. The dashboard has some of them. */
export const LANGUAGES = 'en de fr es it pt-BR nl pl tr ja zh-CN ar'.split(
  ' ',
) as readonly Language[]

export type Language =
  | 'en'
  | 'de'
  | 'fr'
  | 'es'
  | 'it'
  | 'pt-BR'
  | 'nl'
  | 'pl'
  | 'tr'
  | 'ja'
  | 'zh-CN'
  | 'ar'

/** The only languages with a region; every Portuguese and Chinese reader gets them. */
const BY_TAG = new Map<string, Language>(LANGUAGES.map((tag) => [tag.split('-')[0]!, tag]))

/** Browsers send few; the rest of a longer header is not read. */
const MAX_CHARS = 200

/** The first language of an `Accept-Language` header that exists here, by its weights; English without one. */
export function matchLanguage(header: string | undefined): Language {
  return findLanguage(header) ?? 'en'
}

export function findLanguage(header: string | undefined): Language | undefined {
  if (!header) return undefined
  let best: Language | undefined
  let bestWeight = 0
  for (const part of header.slice(0, MAX_CHARS).split(',')) {
    const [tag = '', weightText] = part.split(';')
    const language = BY_TAG.get(tag.trim().split('-')[0]!.toLowerCase())
    const weight =
      weightText === undefined ? 1 : Number(/^\s*q=([\d.]+)\s*$/i.exec(weightText)?.[1])
    if (language === undefined || !(weight > bestWeight)) continue
    best = language
    bestWeight = weight
  }
  return best
}

export function isRightToLeft(language: Language): boolean {
  return language === 'ar'
}
