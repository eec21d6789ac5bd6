import type { Language } from '../../platform/facts/languages.ts'
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { ptBr } from './pt-br.ts'
import type { VisitorTexts } from './texts.ts'
import { tr } from './tr.ts'
import { zhCn } from './zh-cn.ts'

export const VISITOR_TEXTS: Readonly<Record<Language, VisitorTexts>> = {
  ...{ en, de, fr, es, it, nl, pl, tr, ja, ar },
  'pt-BR': ptBr,
  'zh-CN': zhCn,
}
