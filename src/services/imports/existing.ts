import type { Who } from '../../base/who.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Draft } from './drafts.ts'
import type { LinkWrites } from './writes.ts'

/** A link that a row may be about. */
export type ExistingLink = {
  id: string
  externalId: string | null
  folderId: string | null
  campaignId: string | null
}

/** The link of each row: that with its externalId, else its slug, else its id; null for a new one. */
export async function findExisting(
  tx: Tx,
  who: Who,
  drafts: readonly Draft[],
  findBySlug: LinkWrites['findBySlug'],
): Promise<(ExistingLink | null)[]> {
  const { workspaceId } = who
  const bySlug = await findBySlug(
    tx,
    who,
    drafts.map(({ input }) => input),
  )
  const externalIds = drafts.flatMap(({ input }) => input.externalId?.trim() ?? [])
  const ids = [...drafts.map(({ id }) => id), ...bySlug].filter((id) => id !== null)
  const rows = await tx<ExistingLink[]>`
    select id, external_id, folder_id, campaign_id from links
    where workspace_id = ${workspaceId} and id in (
      select id from links
      where workspace_id = ${workspaceId} and external_id = any(${externalIds}::text[])
      union
      select unnest(${ids}::text[]))`
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return drafts.map(
    ({ input, id }, i) =>
      (input.externalId && byExternalId.get(input.externalId.trim())) ||
      byId.get(bySlug[i] ?? '') ||
      byId.get(id ?? '') ||
      null,
  )
}
