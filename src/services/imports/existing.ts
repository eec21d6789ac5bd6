import type { Who } from '../../base/who.ts'
import { slugKey } from '../../facts/slug.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Draft } from './drafts.ts'

/** A link that a row may be about. */
export type ExistingLink = {
  id: string
  externalId: string | null
  slugKey: string
  folderId: string | null
  campaignId: string | null
}

/** The link of each row: that with its externalId, else its slug, else its id; null for a new one. */
export async function findExisting(
  tx: Tx,
  { workspaceId }: Who,
  drafts: readonly Draft[],
): Promise<(ExistingLink | null)[]> {
  const externalIds = drafts.flatMap(({ input }) => input.externalId?.trim() ?? [])
  const keys = drafts.flatMap(({ input }) => (input.slug ? slugKey(input.slug) : []))
  const ids = drafts.flatMap(({ id }) => id ?? [])
  const rows = await tx<ExistingLink[]>`
    select id, external_id, slug_key, folder_id, campaign_id from links
    where workspace_id = ${workspaceId} and id in (
      select id from links
      where workspace_id = ${workspaceId} and external_id = any(${externalIds}::text[])
      union
      select link_id from link_addresses
      where workspace_id = ${workspaceId} and domain_id = '' and not is_alias
        and slug_key = any(${keys}::text[])
      union
      select unnest(${ids}::text[]))`
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]))
  const byKey = new Map(rows.map((row) => [row.slugKey, row]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return drafts.map(
    ({ input, id }) =>
      (input.externalId && byExternalId.get(input.externalId.trim())) ||
      (input.slug && byKey.get(slugKey(input.slug))) ||
      (id !== null && byId.get(id)) ||
      null,
  )
}
