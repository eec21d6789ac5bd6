import { DIMENSIONS, labelOfEmpty, type Dimension } from './dimensions.ts'
import type { Period } from './period.ts'
import { inLinks } from './scope.ts'
import { bucketOf, instant, toSpan } from './span.ts'
import { isCounted, type Countable } from './tally.ts'
import type { Wanted } from './wanted.ts'

type Question = Countable & { current: Period; previous: Period }

/**
 * A select of lines (wanted.ts) that reads the clicks of both periods one by one, once. Each click is repeated for
 * every section of the answer that counts it:
 *
 *   a click ─▶ ['1795…', '1798…', 'DE', 'Berlin', …] ─▶ group by section and label
 *
 * Visitors are exact. Periods with folded months cannot be counted this way.
 * @param most limits the clicks that are read, and adds the line '' with their number
 */
export function fewSql(question: Question, wanted: Wanted, most?: number): string {
  const { scope, current, previous } = question
  const bounds = [previous.startMs, current.startMs, current.endMs]
  const counted = isCounted(question)
  const both: Section[] = [
    ...(most === undefined ? [] : [{ name: '', label: `''`, isWhole: true }]),
    { name: '@totals', label: `toString(${bucketOf(bounds, 'clicks')})`, isWhole: true },
  ]
  const sections = [...both, ...currentSections(wanted)]
  const length = `if(is_counted and at >= ${instant(current.startMs)}, ${sections.length}, ${both.length})`
  const limit = Math.max(
    1,
    wanted.labels?.limit ?? 0,
    wanted.rows?.limit ?? 0,
    wanted.topLinks ? wanted.topLinks.limit + wanted.topLinks.offset : 0,
  )
  const numbersOf = (isMeant: (section: Section) => boolean) =>
    sections.flatMap((section, index) => (isMeant(section) ? [index + 1] : [])).join(', ')
  const names = sections.map(({ name }) => (name === '' ? `''` : `'${name}:'`)).join(', ')
  return `
    select concat([${names}][section], line) as label, countIf(is_counted) as clicks,
      uniqExactIf(visitor, visitor != 0 and is_counted
        and section in (${numbersOf(({ name }) => name.startsWith('@'))})) as visitors,
      countIf(is_bot) as bots
    from (
      select ${counted} as is_counted, kind != 'human' as is_bot, visitor,
        arrayResize([${sections.map(({ label }) => label).join(', ')}], ${length}) as lines
      from clicks
      where ${scope.where} and ${toSpan(bounds, 'clicks').clicks}
        and ${scope.isOfViews ? counted : `kind != 'view'`}
      ${most === undefined ? '' : `limit ${most}`}
    )
    array join lines as line, arrayEnumerate(lines) as section
    group by section, line
    order by section, line = '' desc, clicks desc, line
    limit ${limit} by section, if(section in (${numbersOf(({ isWhole }) => isWhole)}), line, '')`
}

/** A part of the answer, and the label with which it counts a click. */
type Section = {
  name: string
  label: string
  /** Has no limit of labels. */
  isWhole: boolean
}

/** Sections that count only clicks of the current period. */
function currentSections({ buckets, labels, rows, topLinks, linkIds }: Wanted): Section[] {
  const links = linkIds ? `if(${inLinks(linkIds)}, link_id, '')` : 'link_id'
  const of = (names: readonly Dimension[], at: string) =>
    names.map((name) => ({ name: `${at}${name}`, label: labelOf(name), isWhole: false }))
  return [
    ...(buckets
      ? [{ name: '@buckets', label: `toString(${bucketOf(buckets, 'clicks')})`, isWhole: true }]
      : []),
    ...(topLinks || linkIds ? [{ name: '@links', label: links, isWhole: Boolean(linkIds) }] : []),
    ...of(labels?.dimensions ?? [], ''),
    ...of(rows?.dimensions ?? [], '@'),
  ]
}

/** Shows an empty label as a word. An empty UTM parameter does not count. */
function labelOf(name: Dimension): string {
  const { column } = DIMENSIONS[name]
  const word = labelOfEmpty(name)
  return `toString(${word === null ? column : `transform(${column}, [''], ['${word}'])`})`
}
