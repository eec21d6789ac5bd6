import type { Language } from '../facts/languages.ts'
import { links as ar } from './ar/links.ts'
import { links as de } from './de/links.ts'
import { links as en } from './en/links.ts'
import { links as es } from './es/links.ts'
import { links as fr } from './fr/links.ts'
import { links as it } from './it/links.ts'
import { links as ja } from './ja/links.ts'
import { links as nl } from './nl/links.ts'
import { links as pl } from './pl/links.ts'
import { links as pt } from './pt-BR/links.ts'
import { links as tr } from './tr/links.ts'
import { links as zh } from './zh-CN/links.ts'
import type { LinkTexts } from './texts.ts'

export const LINK_TEXTS: Readonly<Record<Language, LinkTexts>> = {
  ...{ en, de, fr, es, it, nl, pl, tr, ja, ar },
  'pt-BR': pt,
  'zh-CN': zh,
}
