import type { Language } from '../facts/languages.ts'
import { mails as ar } from './ar/mails.ts'
import { mails as de } from './de/mails.ts'
import { mails as en } from './en/mails.ts'
import { mails as es } from './es/mails.ts'
import { mails as fr } from './fr/mails.ts'
import { mails as it } from './it/mails.ts'
import { mails as ja } from './ja/mails.ts'
import { mails as nl } from './nl/mails.ts'
import { mails as pl } from './pl/mails.ts'
import { mails as pt } from './pt-BR/mails.ts'
import { mails as tr } from './tr/mails.ts'
import { mails as zh } from './zh-CN/mails.ts'
import type { MailTexts } from './texts.ts'

export const MAIL_TEXTS: Readonly<Record<Language, MailTexts>> = {
  ...{ en, de, fr, es, it, nl, pl, tr, ja, ar },
  'pt-BR': pt,
  'zh-CN': zh,
}
