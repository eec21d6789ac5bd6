import { DIMENSIONS, labelOfEmpty, type Dimension } from './dimensions.ts'
import type { Period } from './period.ts'
import { inLinks } from './scope.ts'
import { bucketOf, instant, toSpan } from './span.ts'
import { isCounted, IS_BOT, IS_CLICK, type Countable } from './tally.ts'
import type { Wanted } from './wanted.ts'

type Question = Countable & { current: Period; previous: Period }

/**
 * A select of lines (wanted.ts) that reads the clicks of both periods one by one, once. Each click is repeated for
 * every line of the answer that counts it:
 *
 *   a click ─▶ ['@totals:1795…', '@buckets:1798…', 'country:DE', 'city:Berlin', …] ─▶ group by line
 *
 * Visitors are exact. Periods with folded months cannot be counted so.
 * @param most reads at most so many clicks, and adds the line '' with the number of those that it read
 */
export function fewSql(question: Question, wanted: Wanted, most?: number): string {
  const { scope, current, previous } = question
  const bounds = [previous.startMs, current.startMs, current.endMs]
  const both = [
    ...(most === undefined ? [] : [`''`]),
    keyOf('@totals', `toString(${bucketOf(bounds, 'clicks')})`),
  ]
  const ofCurrent = currentKeys(wanted)
  const length = `if(is_counted and at >= ${instant(current.startMs)}, ${both.length + ofCurrent.length}, ${both.length})`
  const limit = Math.max(
    1,
    wanted.labels?.limit ?? 0,
    wanted.rows?.limit ?? 0,
    wanted.topLinks ? wanted.topLinks.limit + wanted.topLinks.offset : 0,
  )
  const whole = ['@totals:', '@buckets:', ...(wanted.linkIds ? ['@links:'] : [])]
  return `
    select line as label, countIf(is_counted) as clicks,
      uniqExactIf(visitor, visitor != 0 and is_counted and startsWith(line, '@')) as visitors,
      countIf(is_bot) as bots
    from (
      select ${isCounted(question)} as is_counted, ${IS_BOT} as is_bot, visitor,
        arrayResize([${[...both, ...ofCurrent].join(', ')}], ${length}) as lines
      from (
        select *${wanted.buckets ? `, toString(${bucketOf(wanted.buckets, 'clicks')}) as bucket` : ''}
        from clicks
        where ${scope.where} and ${toSpan(bounds, 'clicks').clicks}
          and ${scope.isOfViews ? isCounted(question) : IS_CLICK}
        ${most === undefined ? '' : `limit ${most}`}
      )
    )
    array join lines as line
    group by line
    order by substring(line, 1, position(line, ':')) as section, line = section desc, clicks desc, line
    limit ${limit} by if(section in ('${whole.join("', '")}', ''), line, section)`
}

/** The lines that only clicks of the current period are in. */
function currentKeys({ buckets, labels, rows, topLinks, linkIds }: Wanted): string[] {
  const links = linkIds ? `if(${inLinks(linkIds)}, link_id, '')` : 'link_id'
  return [
    // Thousands of bounds inside of other expressions take seconds to analyze.
    ...(buckets ? [keyOf('@buckets', 'bucket')] : []),
    ...(topLinks || linkIds ? [keyOf('@links', links)] : []),
    ...(labels?.dimensions ?? []).map((name) => keyOf(name, labelOf(name))),
    ...(rows?.dimensions ?? []).map((name) => keyOf(`@${name}`, labelOf(name))),
  ]
}

function keyOf(section: string, label: string): string {
  return `toLowCardinality(concat('${section}:', ${label}))`
}

/** An empty label is shown as a word; an empty UTM parameter is not counted. */
function labelOf(name: Dimension): string {
  const { column } = DIMENSIONS[name]
  const word = labelOfEmpty(name)
  return word === null ? column : `transform(${column}, [''], ['${word}'])`
}
