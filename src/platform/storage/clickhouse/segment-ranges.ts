/** By journal id: the segments after the first sequence, up to the second. */
export type SegmentRanges = Readonly<Record<string, readonly [after: number, through: number]>>

const JOURNAL_ID = /^[0-9a-f]{16}$/
export const JOURNAL_SQL = 'substring(segment, 1, 16)'
export const SEQUENCE_SQL = 'toUInt64OrZero(substring(segment, 18))'

/** Values are inlined, since parameters travel in the URL, which is too short for them. */
export function inRanges(ranges: SegmentRanges): string {
  const entries = Object.entries(ranges)
  if (entries.length === 0) return '0'
  for (const [id] of entries)
    if (!isJournalId(id)) throw new Error(`${JSON.stringify(id)} is not the id of a journal`)
  const ids = entries.map(([id]) => `'${id}'`).join(', ')
  const bound = (bounds: readonly number[]) =>
    `transform(${JOURNAL_SQL}, [${ids}], cast([${bounds.map(toInteger).join(', ')}], 'Array(UInt64)'), toUInt64(0))`
  const through = bound(entries.map(([, range]) => range[1]))
  const afters = entries.map(([, range]) => range[0])
  const isAfter = afters.every((after) => after === 0)
    ? `${SEQUENCE_SQL} > 0`
    : `${SEQUENCE_SQL} > ${bound(afters)}`
  return `(${isAfter} and ${SEQUENCE_SQL} <= ${through})`
}

export function isJournalId(text: string): boolean {
  return JOURNAL_ID.test(text)
}

function toInteger(value: number): string {
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`${value} is not a sequence`)
  return String(value)
}
