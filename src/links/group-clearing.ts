import { sleep } from '../platform/core/service.ts'
import type { Principal } from '../platform/routes/principal.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import type { JobKind } from '../platform/jobs/kind.ts'

/** A folder or campaign that was deleted. */
type Gone = { kind: 'folder' | 'campaign'; id: string }

const GROUP_CLEARING = 'group-clearing'
/** Links of one piece; a group with fewer is cleared in the request that deletes it. */
const PIECE_LINKS = 1_000
/** Wait for links that another transaction has locked. */
const RETRY_MS = 200

/**
 * Clears the column of the links that name a deleted folder or campaign. Reads show null already
 * (src/links/link/row.ts) and filters find nothing, so that the caller need not wait for the job: a
 * thousand links are cleared in the transaction of the deletion, and the rest by a job.
 */
export async function clearGroup(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  principal: Principal,
  gone: Gone,
): Promise<void> {
  await clearPiece(tx, principal, gone)
  if (await hasLinks(tx, principal, gone)) await jobs.enqueue(tx, principal, GROUP_CLEARING, gone)
}

export const groupClearingKind: JobKind = {
  name: GROUP_CLEARING,
  requires: null,
  async run({ input, commitPiece }) {
    const gone = input as Gone
    for (let isLeft = true; isLeft;) {
      let cleared = 0
      await commitPiece(async (tx, principal) => {
        cleared = await clearPiece(tx, principal, gone)
        isLeft = await hasLinks(tx, principal, gone)
        return null
      })
      if (cleared === 0 && isLeft) await sleep(RETRY_MS)
    }
  },
}

/**
 * Clears up to {@link PIECE_LINKS} links, and skips those that another transaction has locked, so that
 * neither waits for the other.
 * @returns how many were cleared
 */
async function clearPiece(tx: Tx, { workspaceId }: Principal, { kind, id }: Gone): Promise<number> {
  const column = columnOf(tx, kind)
  const cleared = await tx`
    update links set ${column} = null
    where workspace_id = ${workspaceId} and id = any(array(
      select id from links where workspace_id = ${workspaceId} and ${column} = ${id}
      limit ${PIECE_LINKS} for update skip locked))`
  return cleared.count
}

async function hasLinks(tx: Tx, { workspaceId }: Principal, { kind, id }: Gone): Promise<boolean> {
  const rows = await tx`
    select from links where workspace_id = ${workspaceId} and ${columnOf(tx, kind)} = ${id} limit 1`
  return rows.length > 0
}

function columnOf(tx: Tx, kind: Gone['kind']) {
  return kind === 'folder' ? tx`folder_id` : tx`campaign_id`
}
