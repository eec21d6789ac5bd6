import { ApiError } from '../../platform/core/errors.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ShortHost } from '../link/short-host.ts'
import { toAddressKey } from '../link/slugs.ts'
import { chooseDomain, toDomainColumns } from '../write/domains.ts'
import { readGroups, type Groups } from '../write/groups.ts'
import type { Draft } from './drafts.ts'

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

type FoundLink = ExistingLink & { foundBy: 'externalId' | 'slug' | 'id' }
type Address = { domainId: string; key: string }

/** Finds the link of each row by its externalId, else its slug, else its id; null for a new one. */
export async function findExisting(
  tx: Tx,
  principal: Principal,
  drafts: readonly Draft[],
  host: ShortHost,
): Promise<(FoundLink | null)[]> {
  const { workspaceId } = principal
  const bySlug = await findBySlug(tx, principal, drafts, host)
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

/** The ids of the links with the slugs of these rows; null for a free slug or an unknown domain. */
async function findBySlug(
  tx: Tx,
  principal: Principal,
  drafts: readonly Draft[],
  host: ShortHost,
): Promise<(string | null)[]> {
  const inputs = drafts.map(({ input }) => input)
  if (!inputs.some(({ slug }) => slug)) return inputs.map(() => null)
  const groups = await readGroups(tx, principal, inputs)
  const addresses = inputs.map((input) => toAddress(input, host, groups))
  const known = addresses.filter((address) => address !== null)
  const rows = await tx<(Address & { linkId: string })[]>`
    select a.domain_id, a.slug_key as key, a.link_id
    from unnest(${known.map(({ domainId }) => domainId)}::text[], ${known.map(({ key }) => key)}::text[])
      as wanted (domain_id, slug_key)
    join link_addresses a on a.domain_id = wanted.domain_id and a.slug_key = wanted.slug_key
    where a.workspace_id = ${principal.workspaceId} and a.link_id is not null and not a.is_alias`
  const byAddress = new Map(rows.map((row) => [toAddressKey(row), row.linkId]))
  return addresses.map((address) => address && (byAddress.get(toAddressKey(address)) ?? null))
}

function toAddress(input: Draft['input'], host: ShortHost, groups: Groups): Address | null {
  if (!input.slug) return null
  try {
    const domain = chooseDomain(input, null, host, groups) ?? null
    const { domainId, isCaseSensitive } = toDomainColumns(domain)
    return { domainId: domainId ?? '', key: slugKeyOf(input.slug, isCaseSensitive) }
  } catch (error) {
    // The write refuses the row.
    if (error instanceof ApiError) return null
    throw error
  }
}
