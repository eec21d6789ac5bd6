import type { Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Statement, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkRow } from './row.ts'

type Stored = Exclude<
  keyof LinkRow,
  | 'workspaceId'
  | 'hostname'
  | 'isCaseSensitive'
  | 'clicks'
  | 'lastClickedAt'
  | 'served'
  | 'aliases'
  | 'blockedReason'
>

/** The columns of `links` that the program writes, with their types. */
const TYPES: Record<Stored, string> = {
  id: 'text',
  name: 'text',
  slug: 'text',
  slugKey: 'text',
  domainId: 'text',
  destinationUrl: 'text',
  redirectType: 'smallint',
  status: 'text',
  expiresAt: 'timestamptz',
  utmSource: 'text',
  utmMedium: 'text',
  utmCampaign: 'text',
  utmTerm: 'text',
  utmContent: 'text',
  metadata: 'json',
  options: 'json',
  passwordHash: 'text',
  folderId: 'text',
  campaignId: 'text',
  externalId: 'text',
  tags: 'text[]',
  createdBy: 'text',
  archivedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
}
const FIXED: ReadonlySet<string> = new Set(['id', 'createdBy', 'createdAt'])

const names = Object.keys(TYPES)
const toColumn = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
const DEFINITIONS = Object.entries(TYPES)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')
const COLUMNS = names.map(toColumn).join(', ')
const VALUES = names.map((name) => `r."${name}"`).join(', ')
const ASSIGNMENTS = names
  .filter((name) => !FIXED.has(name))
  .map((name) => `${toColumn(name)} = r."${name}"`)
  .join(', ')

/** Inserts rows of links: one parameter and one text of the statement, however many they are. */
export function insertRows(
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly LinkRow[],
): Statement {
  return tx`
    insert into links (workspace_id, ${tx.unsafe(COLUMNS)})
    select ${workspaceId}, ${tx.unsafe(VALUES)} from ${toTable(tx, rows)}`
}

/** Writes all columns of rows of links that the transaction has locked. */
export function updateRows(
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly LinkRow[],
): Statement {
  return tx`
    update links l set ${tx.unsafe(ASSIGNMENTS)} from ${toTable(tx, rows)}
    where l.id = r."id" and l.workspace_id = ${workspaceId}`
}

function toTable(tx: Tx, rows: readonly LinkRow[]): Fragment {
  return tx`json_to_recordset(${JSON.stringify(rows)}::text::json) as r (${tx.unsafe(DEFINITIONS)})`
}
