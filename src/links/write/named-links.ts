import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readForeign } from '../../platform/resources/foreign.ts'
import { failed, repeated, type Outcome } from '../link/outcomes.ts'
import type { LinkRow } from '../link/row.ts'
import { lockMany } from '../link/stored.ts'

/** Path of an outcome's error about the id of its row. */
export const ID_PATH = 'id'

/** Links that one statement writes. */
const CHUNK_ROWS = 1_000

export function inChunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK_ROWS) }, (_, i) =>
    items.slice(i * CHUNK_ROWS, (i + 1) * CHUNK_ROWS),
  )
}

type Named = { index: number; row: LinkRow }

/**
 * Locks the links that the rows of a request name by their ids; null for one that is not known. Sets the
 * outcomes of the others: NOT_FOUND, FORBIDDEN for one of another workspace, and CONFLICT for a second one.
 */
export async function lockNamed(
  tx: Tx,
  principal: Principal,
  ids: readonly (string | null)[],
  outcomes: Outcome[],
): Promise<Named[]> {
  const known = ids.filter((id) => id !== null)
  const rows =
    known.length === 0 ? new Map<string, LinkRow>() : await lockMany(tx, principal, known)
  const missing = known.filter((id) => !rows.has(id))
  const foreign = await readForeign(tx, ['links'], missing)
  const seen = new Set<string>()
  return ids.flatMap((id, index) => {
    const row = id === null ? undefined : rows.get(id)
    if (!row) outcomes[index] = failed(id !== null && foreign.has(id) ? isForeign() : isUnknown())
    else if (seen.has(row.id)) outcomes[index] = failed(repeated(ID_PATH, 'id'))
    else {
      seen.add(row.id)
      return [{ index, row }]
    }
    return []
  })
}

/** The ids of links by their `externalId`, null for one that no link of the workspace has. */
export async function readIds(
  tx: Tx,
  principal: Principal,
  externalIds: readonly string[],
): Promise<(string | null)[]> {
  const ids = await readExternalIds(tx, principal, externalIds)
  return externalIds.map((externalId) => ids.get(externalId) ?? null)
}

/** The ids of these that links of the workspace have, each with its link. */
export async function readExternalIds(
  tx: Tx,
  { workspaceId }: Principal,
  externalIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (externalIds.length === 0) return new Map()
  const rows = await tx<{ id: string; externalId: string }[]>`
    select id, external_id from links
    where workspace_id = ${workspaceId} and external_id = any(${[...externalIds]}::text[])`
  return new Map(rows.map(({ id, externalId }) => [externalId, id]))
}

function isUnknown(): ApiError {
  const message = 'This link does not exist.'
  return new ApiError('NOT_FOUND', message, [{ path: ID_PATH, message, code: 'unknown' }])
}

function isForeign(): ApiError {
  const message = 'This link belongs to another workspace.'
  return new ApiError('FORBIDDEN', message, [{ path: ID_PATH, message, code: 'foreign' }])
}
