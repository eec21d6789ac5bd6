/** The languages of the dashboard, by their own names. Each has a folder beside this file. */
export const LANGUAGES = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  fr: 'Français',
  ja: '日本語',
  ar: 'العربية',
} as const

/** Languages of mails that the dashboard lacks. */
export const MAIL_LANGUAGES = {
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  'pt-BR': 'Português (Brasil)',
  tr: 'Türkçe',
  'zh-CN': '简体中文',
} as const

export type Language = keyof typeof LANGUAGES

export const DEFAULT_LANGUAGE: Language = 'en'

const RIGHT_TO_LEFT: readonly string[] = ['ar']

export function isLanguage(tag: string): tag is Language {
  return Object.hasOwn(LANGUAGES, tag)
}

/** The first language of the list that the dashboard has. */
export function matchLanguage(tags: readonly string[]): Language {
  const languages = tags.map((tag) => tag.split('-')[0]!.toLowerCase())
  return languages.find(isLanguage) ?? DEFAULT_LANGUAGE
}

export function directionOf(language: Language): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(language) ? 'rtl' : 'ltr'
}
