import type { Language } from '../facts/languages.ts'

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** The form that the language has for a count; `#` in it is the number. */
export function pluralOf(language: Language): (count: number, forms: Forms) => string {
  const rules = new Intl.PluralRules(language)
  const numbers = new Intl.NumberFormat(language)
  return (count, forms) =>
    (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count))
}
