import { answerFiles } from '../../platform/work/file-process-child.ts'
import { lowerThreadPriority } from '../../platform/work/priority.ts'
import type { RuleInput } from '../options/option-shapes.ts'
import { isDay, type Days } from './days.ts'
import {
  recognize,
  toColumns,
  toDraft,
  type Draft,
  type Layout,
  type RecognizedColumn,
} from './drafts.ts'
import { isObject } from './foreign-records.ts'
import { toRules } from './shlink-rules.ts'
import { fileError, parseJson, readTable } from './table.ts'

export type ShlinkRequest =
  | { of: 'links'; skippedRows: number }
  | { of: 'visits' }
  | { of: 'rules' }

/** What names a short URL in the API of Shlink; a domain of null is its default one. */
export type ShlinkLink = { shortCode: string; domain: string | null; hasRules: boolean }
export type ShlinkLinks = {
  total: number
  pages: number
  layout: Layout
  columns: RecognizedColumn[]
  drafts: Draft[]
  links: ShlinkLink[]
}
export type ShlinkVisits = { pages: number; days: Days }
export type ShlinkRules = { rules: RuleInput[]; leftOut: string[] }
export type ShlinkAnswer = ShlinkLinks | ShlinkVisits | ShlinkRules

const NICENESS = 5

function* readAnswer(bytes: Buffer, request: ShlinkRequest): Generator<ShlinkAnswer, void> {
  const answer = parseJson(bytes.toString('utf8'))
  if (request.of === 'rules') yield toRules(listIn(answer, 'redirectRules'))
  else if (request.of === 'visits') yield toVisits(answer)
  else yield toLinks(bytes, answer, request.skippedRows)
}

function toLinks(bytes: Buffer, answer: unknown, skippedRows: number): ShlinkLinks {
  const page = isObject(answer) ? answer['shortUrls'] : null
  const objects = listIn(page, 'data').filter(isObject)
  const counts = toPagination(page)
  if (objects.length === 0) return { ...counts, layout: [], columns: [], drafts: [], links: [] }
  const { headers, rows } = readTable(bytes)
  const layout = recognize(headers, 'shlink', {})
  const drafts = rows.map(({ row, cells }) =>
    toDraft(layout, 'shlink', { row: row + skippedRows, cells }),
  )
  const links = rows.map(({ row }) => {
    const object = objects[row - 2] ?? {}
    const { shortCode, domain, hasRedirectRules } = object
    return {
      shortCode: typeof shortCode === 'string' ? shortCode : '',
      domain: typeof domain === 'string' ? domain : null,
      hasRules: hasRedirectRules === true,
    }
  })
  return { ...counts, layout, columns: toColumns(headers, layout), drafts, links }
}

/** Visits whose time is not known stay among those without a day. */
function toVisits(answer: unknown): ShlinkVisits {
  const page = isObject(answer) ? answer['visits'] : null
  const days = new Map<string, number>()
  for (const visit of listIn(page, 'data')) {
    const ms = isObject(visit) ? Date.parse(String(visit['date'])) : Number.NaN
    if (!(Math.abs(ms) < 8.64e15)) continue
    const day = new Date(ms).toISOString().slice(0, 'yyyy-mm-dd'.length)
    if (isDay(day)) days.set(day, (days.get(day) ?? 0) + 1)
  }
  return { pages: toPagination(page).pages, days: [...days] }
}

function toPagination(page: unknown): { total: number; pages: number } {
  const counts = isObject(page) && isObject(page['pagination']) ? page['pagination'] : {}
  const toCount = (value: unknown) => (Number.isSafeInteger(value) ? Math.max(0, Number(value)) : 0)
  return { total: toCount(counts['totalItems']), pages: toCount(counts['pagesCount']) }
}

function listIn(value: unknown, name: string): unknown[] {
  const list = isObject(value) ? value[name] : null
  if (!Array.isArray(list)) throw fileError(`The answer has no list ${name}.`, 'answer')
  return list as unknown[]
}

lowerThreadPriority(NICENESS)
answerFiles(readAnswer)
