const MAX_LENGTH = 128
const UNKNOWN = 'unknown'

/** Old codes that some browsers still send. */
const RENAMED: ReadonlyMap<string, string> = new Map([
  ['iw', 'he'],
  ['in', 'id'],
  ['ji', 'yi'],
])

/**
 * The preferred language of an Accept-Language: the primary subtag with the highest weight (`pt-BR,en;q=0.8` is `pt`); the
 * first of equals; `unknown` if none is valid.
 */
export function languageLabel(acceptLanguage: string): string {
  let best = UNKNOWN
  let bestWeight = 0
  for (const entry of acceptLanguage.slice(0, MAX_LENGTH).split(',')) {
    const found =
      /^\s*([A-Za-z]{2,3})(?:[-_][A-Za-z0-9-]{1,32})?\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(
        entry,
      )
    const weight = Number(found?.[2] ?? 1)
    if (!found?.[1] || weight <= bestWeight) continue
    best = found[1].toLowerCase()
    bestWeight = weight
  }
  return RENAMED.get(best) ?? best
}

/** Ignores case; null if no visitor has it. */
export function toLanguageLabel(code: string): string | null {
  const label = code.toLowerCase()
  if (!/^[a-z]{2,3}$/.test(label)) return null
  return RENAMED.get(label) ?? label
}
