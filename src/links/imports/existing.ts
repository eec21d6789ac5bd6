import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Draft } from './drafts.ts'
import type { LinkWrites } from './writes.ts'

/** A link that a row may be about. */
export type ExistingLink = {
  id: string
  externalId: string | null
  folderId: string | null
  campaignId: string | null
  slug: string
  /** Null on the shared host. */
  hostname: string | null
  destinationUrl: string
}

/** A link with the field of the row by which it was found. */
export type FoundLink = ExistingLink & { foundBy: 'externalId' | 'slug' | 'id' }

/** The link of each row: that with its externalId, else its slug, else its id; null for a new one. */
export async function findExisting(
  tx: Tx,
  principal: Principal,
  drafts: readonly Draft[],
  findBySlug: LinkWrites['findBySlug'],
): Promise<(FoundLink | null)[]> {
  const { workspaceId } = principal
  const bySlug = await findBySlug(
    tx,
    principal,
    drafts.map(({ input }) => input),
  )
  const externalIds = drafts.flatMap(({ input }) => input.externalId?.trim() ?? [])
  const ids = [...drafts.map(({ id }) => id), ...bySlug].filter((id) => id !== null)
  const rows = await tx<ExistingLink[]>`
    select l.id, l.external_id, l.folder_id, l.campaign_id, l.slug, d.hostname, l.destination_url
    from links l left join domains d on d.id = l.domain_id and d.workspace_id = l.workspace_id
    where l.workspace_id = ${workspaceId} and l.id in (
      select id from links
      where workspace_id = ${workspaceId} and external_id = any(${externalIds}::text[])
      union
      select unnest(${ids}::text[]))`
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return drafts.map(({ input, id }, i) => {
    const found = [
      ['externalId', input.externalId ? byExternalId.get(input.externalId.trim()) : undefined],
      ['slug', byId.get(bySlug[i] ?? '')],
      ['id', byId.get(id ?? '')],
    ] as const
    for (const [foundBy, link] of found) if (link) return { ...link, foundBy }
    return null
  })
}
