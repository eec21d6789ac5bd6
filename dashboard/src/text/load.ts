import { formatNumber } from '../kit/locale.ts'
import { DEFAULT_LANGUAGE, directionOf, matchLanguage, type Language } from './languages.ts'

/** What messages with numbers are made with. */
export type Tools = {
  /** The form that the language has for the count; `#` in it is the number. */
  plural: (count: number, forms: Forms) => string
  formatNumber: (value: number) => string
}
type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

type Messages = (tools: Tools) => object
type Files = Record<string, () => Promise<Messages>>
type Source = { files: Files; language: Language | null; reading: Promise<void> | null }

/**
 * All texts that were read. It is one object, which is filled in place, so that modules may import their texts before
 * these are there. The router and `lazyPart` wait for them before they show anything.
 */
const texts = {}
const sources: Source[] = []
let language = matchLanguage([storedLanguage(), ...navigator.languages])
let rules = new Intl.PluralRules(language)
const listeners = new Set<() => void>()

const tools: Tools = {
  plural: (count, forms) =>
    (forms[rules.select(count)] ?? forms.other).replace('#', formatNumber(count)),
  formatNumber,
}

/** The texts of a feature, together with those that it builds on. */
export function load<M extends Messages, A = object, B = object>(
  files: Record<string, () => Promise<M>>,
  _first?: A,
  _second?: B,
): ReturnType<M> & A & B {
  const source: Source = { files, language: null, reading: null }
  sources.push(source)
  // Whoever waits for the texts tries again.
  read(source).catch(() => {})
  return texts as ReturnType<M> & A & B
}

/** Once all texts of the modules so far are there. */
export async function textsLoaded(): Promise<void> {
  await Promise.all(sources.map(read))
}

export function getLanguage(): Language {
  return language
}

/** Shows the dashboard in another language, and keeps it for the next visit of this browser. */
export async function setLanguage(next: Language): Promise<void> {
  storeLanguage(next)
  if (next === language) return
  language = next
  await textsLoaded()
  if (next !== language) return
  applyLanguage()
  for (const listener of listeners) listener()
}

/** Once at the start. */
export function applyLanguage(): void {
  rules = new Intl.PluralRules(language)
  document.documentElement.lang = language
  document.documentElement.dir = directionOf(language)
}

export function subscribeLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

async function read(source: Source): Promise<void> {
  if (source.language === language) return
  source.reading ??= readFile(source).finally(() => (source.reading = null))
  await source.reading
  await read(source)
}

async function readFile(source: Source): Promise<void> {
  const wanted = language
  const file = (each: Language) =>
    Object.entries(source.files).find(([path]) => path.startsWith(`./${each}/`))?.[1]
  const messages = await (file(wanted) ?? file(DEFAULT_LANGUAGE))!()
  Object.assign(texts, messages(tools))
  source.language = wanted
}

const STORED_AS = 'signpost:language'

function storedLanguage(): string {
  try {
    return localStorage.getItem(STORED_AS) ?? ''
  } catch {
    return ''
  }
}

function storeLanguage(chosen: Language): void {
  try {
    localStorage.setItem(STORED_AS, chosen)
  } catch {
    // Without storage, the account or the browser decides at each visit.
  }
}
