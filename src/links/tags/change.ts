import { sleep } from '../../platform/core/service.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { JobKind } from '../../platform/jobs/kind.ts'

/** A tag that links lose, and the one that they get instead; null for none. */
export type TagChange = {
  from: string
  to: string | null
  /** Links that were created after this time keep the tag. */
  at: string
}

export const TAG_CHANGE = 'tag-change'
/** Links of one piece; those of a tag with fewer are changed in the request. */
const PIECE_LINKS = 1_000
/** Wait for links that another transaction has locked. */
const RETRY_MS = 200

/** Changes the links of a tag in pieces, each in one transaction. */
export const tagChangeKind: JobKind = {
  name: TAG_CHANGE,
  requires: null,
  async run({ input, commitPiece }) {
    const change = input as TagChange
    for (let left = true; left;) {
      let changed = 0
      await commitPiece(async (tx, principal) => {
        changed = await changePiece(tx, principal, change, new Date(change.at))
        left = await hasLinks(tx, principal, change)
        return null
      })
      if (changed === 0 && left) await sleep(RETRY_MS)
    }
  },
}

/**
 * Changes the tags of up to {@link PIECE_LINKS} links, and skips those that another transaction has
 * locked, so that neither waits for the other. The triggers of `links` keep `link_tags` equal.
 * @returns how many were changed
 */
export async function changePiece(
  tx: Tx,
  { workspaceId }: Principal,
  { from, to, at }: TagChange,
  now: Date,
): Promise<number> {
  const without = tx`nullif(array_remove(l.tags, ${from}::text), '{}')`
  const tags =
    to === null
      ? without
      : tx`case when ${to}::text = any(l.tags) then ${without} else array_replace(l.tags, ${from}::text, ${to}::text) end`
  const changed = await tx`
    update links l set tags = ${tags}, updated_at = greatest(l.updated_at + interval '1 millisecond', ${now})
    where l.workspace_id = ${workspaceId} and l.id in (
      select locked.id from links locked
      where locked.workspace_id = ${workspaceId} and locked.id = any(array(
        select t.link_id from link_tags t
        where t.workspace_id = ${workspaceId} and t.tag = ${from} and t.created_at <= ${at}
        limit ${PIECE_LINKS}))
      for update skip locked)`
  return changed.count
}

export async function hasLinks(
  tx: Tx,
  { workspaceId }: Principal,
  { from, at }: TagChange,
): Promise<boolean> {
  const rows = await tx`
    select from link_tags
    where workspace_id = ${workspaceId} and tag = ${from} and created_at <= ${at} limit 1`
  return rows.length > 0
}
