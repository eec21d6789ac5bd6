import { ApiError } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { chooseDomain, toDomainColumns } from '../write/domains.ts'
import { readGroups, type Groups } from '../write/groups.ts'
import type { CreateLink } from '../link/schema.ts'
import { toAddressKey } from '../link/slugs.ts'

type Input = Pick<CreateLink, 'slug' | 'domainId' | 'domain'>
type Address = { domainId: string; key: string }

/** The ids of the links that have these slugs; null for a free one, and where the domain is unknown. */
export async function findBySlug(
  { shortHost }: Pick<LinkDeps, 'shortHost'>,
  tx: Tx,
  principal: Principal,
  inputs: readonly Input[],
): Promise<(string | null)[]> {
  if (!inputs.some(({ slug }) => slug)) return inputs.map(() => null)
  const groups = await readGroups(tx, principal, inputs)
  const host = shortHost()
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

function toAddress(
  input: Input,
  host: ReturnType<LinkDeps['shortHost']>,
  groups: Groups,
): Address | null {
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
