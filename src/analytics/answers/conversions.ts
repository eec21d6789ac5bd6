import { DIMENSIONS, labelOfEmpty, type Dimension } from '../questions/dimensions.ts'
import type { Question } from '../questions/question.ts'
import type { Read } from '../questions/reader.ts'
import { bucketOf, toSpan } from '../questions/span.ts'
import { count, type Counted } from '../questions/counting.ts'
import type { Wanted as WantedClicks } from '../questions/wanted.ts'
import { inLinks } from '../questions/scope.ts'

/** Conversions that are attributed to a link, and their value in the requested currency. */
export type Earned = { conversions: number; value: number }

/** How an answer splits them, besides the total of the period. */
type Wanted = {
  buckets?: readonly number[]
  dimensions?: readonly Dimension[]
  linkIds?: readonly string[]
  /** The links with the most conversions, at most so many. */
  topLinks?: number
  type?: 'lead' | 'sale'
}

export type EarnedParts = Earned & {
  /** By start of bucket, in milliseconds. */
  buckets: ReadonlyMap<number, Earned>
  labels: ReadonlyMap<Dimension, ReadonlyMap<string, Earned>>
  links: ReadonlyMap<string, Earned>
  currencies: readonly string[]
}

type ConversionQuestion = Pick<Question, 'scope' | 'current' | 'currency' | 'hasConversions'>

export const NOTHING_EARNED: Earned = { conversions: 0, value: 0 }

type Row = { section: string; label: string; conversions: number; value: number }

/** Counts clicks, and conversions by the same buckets, labels and links. */
export async function countAll(
  read: Read,
  question: Question,
  wanted: WantedClicks,
  clicksEver?: number,
): Promise<{ counted: Counted; earned: EarnedParts }> {
  const counted = await count(read, question, wanted, clicksEver)
  const earned = await countConversions(read, question, {
    ...(wanted.buckets && { buckets: wanted.buckets }),
    ...(wanted.rows && { dimensions: wanted.rows.dimensions }),
    linkIds: counted.links.map(({ label }) => label),
  })
  return { counted, earned }
}

/**
 * Counts the conversions of a question, by the time at which they happened. Their rows have the columns of clicks,
 * so the same conditions select both; a conversion without a click has no labels.
 */
export async function countConversions(
  read: Read,
  { scope, current, currency, hasConversions }: ConversionQuestion,
  { buckets = [], dimensions = [], linkIds = [], topLinks, type }: Wanted,
): Promise<EarnedParts> {
  const { clicks } = toSpan([current.startMs, current.endMs], 'clicks')
  const ofType = type === undefined ? '' : `and type = '${type}'`
  const where = `${scope.where} and link_id != '' and ${clicks} ${ofType}`
  const part = (section: string, label: string, condition = '1') => `
    select '${section}' as section, ${label} as label, count() as conversions,
      sumIf(value, currency = {currency:String}) as value
    from conversions where ${where} and ${condition} group by label`
  const parts = [
    part('currency', 'currency'),
    ...(buckets.length > 0 ? [part('bucket', `toString(${bucketOf(buckets, 'clicks')})`)] : []),
    ...dimensions.map((name) => part(name, DIMENSIONS[name].column)),
    ...(linkIds.length > 0 ? [part('link', 'link_id', inLinks(linkIds))] : []),
    ...(topLinks === undefined
      ? []
      : [
          `select * from (${part('link', 'link_id')} order by conversions desc, label limit ${topLinks})`,
        ]),
  ]
  const rows =
    scope.isEmpty || !hasConversions
      ? []
      : await read<Row>({
          query: parts.join(' union all '),
          params: { ...scope.params, currency },
          isKept: true,
        })
  return toParts(rows, dimensions)
}

/** The conversions with a label. */
export function earnedBy(
  { labels }: Pick<EarnedParts, 'labels'>,
  name: Dimension,
  label: string,
): Earned {
  return labels.get(name)?.get(label) ?? NOTHING_EARNED
}

function toParts(rows: readonly Row[], dimensions: readonly Dimension[]): EarnedParts {
  const of = (section: string) => rows.filter((row) => row.section === section)
  const currencies = of('currency')
  return {
    conversions: sum(currencies.map(({ conversions }) => conversions)),
    value: sum(currencies.map(({ value }) => value)),
    buckets: new Map(of('bucket').map((row) => [Number(row.label), toEarned(row)])),
    labels: new Map(dimensions.map((name) => [name, toLabels(of(name), name)])),
    links: new Map(of('link').map((row) => [row.label, toEarned(row)])),
    currencies: currencies.map(({ label }) => label).toSorted(),
  }
}

/** An empty label gets the word that stands for it in breakdowns of clicks. */
function toLabels(rows: readonly Row[], name: Dimension): ReadonlyMap<string, Earned> {
  const labels = new Map<string, Earned>()
  for (const row of rows) {
    const label = row.label === '' ? labelOfEmpty(name) : row.label
    if (label === null) continue
    const before = labels.get(label) ?? NOTHING_EARNED
    labels.set(label, {
      conversions: before.conversions + row.conversions,
      value: before.value + row.value,
    })
  }
  return labels
}

export function toEarned({ conversions, value }: Earned): Earned {
  return { conversions, value }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
