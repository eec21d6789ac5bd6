import { sleep } from '../platform/core/service.ts'
import type { Principal } from '../platform/routes/principal.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'
import type { Jobs, JobContext, JobKind } from '../platform/jobs/jobs.ts'

type DeletedGroup = { kind: 'folder' | 'campaign'; id: string }

const GROUP_CLEARING = 'group-clearing'
/** Links per transaction; a group with fewer links is cleared in the request that deletes it. */
export const PIECE_LINKS = 1_000
const RETRY_MS = 200

/** Clears a thousand links in the transaction of the deletion, the rest by a job: reads show null already. */
export async function clearGroup(
  jobs: Pick<Jobs, 'enqueue'>,
  tx: Tx,
  principal: Principal,
  group: DeletedGroup,
): Promise<void> {
  await clearPiece(tx, principal, group)
  if (await hasLinks(tx, principal, group)) await jobs.enqueue(tx, principal, GROUP_CLEARING, group)
}

export const groupClearingKind: JobKind = {
  name: GROUP_CLEARING,
  requires: null,
  run: ({ input, commitPiece }) =>
    changeAll(
      commitPiece,
      (tx, principal) => clearPiece(tx, principal, input as DeletedGroup),
      (tx, principal) => hasLinks(tx, principal, input as DeletedGroup),
    ),
}

/** Changes links piece by piece until none is left. @param changePiece returns how many it changed */
export async function changeAll(
  commitPiece: JobContext['commitPiece'],
  changePiece: (tx: Tx, principal: Principal) => Promise<number>,
  isLeft: (tx: Tx, principal: Principal) => Promise<boolean>,
): Promise<void> {
  for (let left = true; left;) {
    let changed = 0
    await commitPiece(async (tx, principal) => {
      changed = await changePiece(tx, principal)
      left = await isLeft(tx, principal)
      return null
    })
    if (changed === 0 && left) await sleep(RETRY_MS)
  }
}

/** Skips links that another transaction has locked, so that neither waits for the other. */
async function clearPiece(tx: Tx, { workspaceId }: Principal, { kind, id }: DeletedGroup) {
  const column = columnOf(tx, kind)
  const cleared = await tx`
    update links set ${column} = null
    where workspace_id = ${workspaceId} and id = any(array(
      select id from links where workspace_id = ${workspaceId} and ${column} = ${id}
      limit ${PIECE_LINKS} for update skip locked))`
  return cleared.count
}

async function hasLinks(tx: Tx, { workspaceId }: Principal, { kind, id }: DeletedGroup) {
  const rows = await tx`
    select from links where workspace_id = ${workspaceId} and ${columnOf(tx, kind)} = ${id} limit 1`
  return rows.length > 0
}

function columnOf(tx: Tx, kind: DeletedGroup['kind']) {
  return kind === 'folder' ? tx`folder_id` : tx`campaign_id`
}
