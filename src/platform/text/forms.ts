import type { Language } from '../facts/languages.ts'
import { forms as ar } from './ar/forms.ts'
import { forms as de } from './de/forms.ts'
import { forms as en } from './en/forms.ts'
import { forms as es } from './es/forms.ts'
import { forms as fr } from './fr/forms.ts'
import { forms as it } from './it/forms.ts'
import { forms as ja } from './ja/forms.ts'
import { forms as nl } from './nl/forms.ts'
import { forms as pl } from './pl/forms.ts'
import { forms as pt } from './pt-BR/forms.ts'
import { forms as tr } from './tr/forms.ts'
import { forms as zh } from './zh-CN/forms.ts'
import type { FormTexts } from './texts.ts'

export const FORM_TEXTS: Readonly<Record<Language, FormTexts>> = {
  ...{ en, de, fr, es, it, nl, pl, tr, ja, ar },
  'pt-BR': pt,
  'zh-CN': zh,
}
