import { inRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'
import type { Snapshot } from './postgres-dump.ts'

export type ClickTable = {
  name: string
  /** Its sorting key; several rows may have the same one. */
  key: readonly [string, ...string[]]
  /** The rows that belong to a snapshot of PostgreSQL. */
  where(snapshot: Snapshot): string
}

/** All tables of the migrations. */
export const CLICK_TABLES: readonly ClickTable[] = [
  {
    name: 'clicks',
    key: ['workspace_id', 'link_id', 'at'],
    // Rows of a segment are stored before it is committed. Rows without a segment belong to no journal.
    where: ({ committed }) =>
      `(${inRanges(committed)} or not match(segment, '^[0-9a-f]{16}-[0-9]+$'))`,
  },
  {
    name: 'click_days',
    key: ['workspace_id', 'grp', 'link_id', 'day'],
    where: ({ folds }) => (folds.length === 0 ? '0' : `fold in (${folds.map(literal).join(', ')})`),
  },
  {
    name: 'conversions',
    key: ['workspace_id', 'link_id', 'at'],
    where: ({ batches: { last, open } }) =>
      `batch <= ${last}${open.length === 0 ? '' : ` and batch not in (${open.join(', ')})`}`,
  },
]

export function literal(text: string): string {
  return `'${text.replaceAll(/[\\']/g, '\\$&')}'`
}
