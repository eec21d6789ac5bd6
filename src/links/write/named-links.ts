import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import { failed, repeated, type Outcome } from '../link/outcomes.ts'
import type { LinkRow } from '../link/row.ts'
import { lockMany } from '../link/stored.ts'

/** Path of errors about the id of a row. */
export const ID_PATH = 'id'

const CHUNK_ROWS = 1_000

export function inChunks<Item>(items: readonly Item[]): Item[][] {
  return Array.from({ length: Math.ceil(items.length / CHUNK_ROWS) }, (_, i) =>
    items.slice(i * CHUNK_ROWS, (i + 1) * CHUNK_ROWS),
  )
}

type Named = { index: number; row: LinkRow }

/**
 * Locks the links that the rows of a request name; a null id is unknown. Sets the outcomes of the other rows:
 * NOT_FOUND, FORBIDDEN for a link of another workspace, and CONFLICT for one that an earlier row names.
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
    if (!row)
      outcomes[index] = failed(
        id !== null && foreign.has(id)
          ? idError('FORBIDDEN', 'This link belongs to another workspace.', 'foreign')
          : idError('NOT_FOUND', 'This link does not exist.', 'unknown'),
      )
    else if (seen.has(row.id)) outcomes[index] = failed(repeated(ID_PATH, 'id'))
    else {
      seen.add(row.id)
      return [{ index, row }]
    }
    return []
  })
}

/** The link of each externalId that exists in the workspace. */
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

function idError(code: 'NOT_FOUND' | 'FORBIDDEN', message: string, detail: string): ApiError {
  return new ApiError(code, message, [{ path: ID_PATH, message, code: detail }])
}
