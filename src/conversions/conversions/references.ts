import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import { toLatest, WINDOW_MS, type CustomerClick, type Link } from './attribution.ts'
import type { Draft } from './draft.ts'

export type KnownLinks = { own: ReadonlyMap<string, Link>; foreign: ReadonlySet<string> }

export async function readLinks(
  tx: Tx,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  ids: readonly string[],
): Promise<KnownLinks> {
  if (ids.length === 0) return { own: new Map(), foreign: new Set() }
  const rows = await tx<Link[]>`
    select id, slug from links
    where workspace_id = ${workspaceId} and id = any(${[...new Set(ids)]}::text[])`
  const own = new Map(rows.map((row) => [row.id, row]))
  const unknown = ids.filter((id) => !own.has(id))
  return { own, foreign: await readForeign(tx, ['links'], unknown) }
}

/** The links with these slugs: a list for each, since several domains may have it. */
export async function readSlugs(
  tx: Tx,
  { workspaceId }: Principal,
  sharedHost: string,
  named: readonly { slug: string; domain: string | null }[],
): Promise<Link[][]> {
  const links: Link[][] = named.map(() => [])
  if (named.length === 0) return links
  const keysOf = (isCaseSensitive: boolean) =>
    named.map(({ slug }) => slugKeyOf(slug, isCaseSensitive))
  const hosts = named.map(({ domain }) => domain?.toLowerCase() ?? '')
  const rows = await tx<(Link & { place: number })[]>`
    with host as (
      select '' as id, ${sharedHost}::text as name, false as is_case_sensitive
      union all
      select id, hostname, case_sensitive from domains where workspace_id = ${workspaceId}
    )
    select named.place::int, l.id, l.slug
    from unnest(${keysOf(true)}::text[], ${keysOf(false)}::text[], ${hosts}::text[])
      with ordinality as named (exact_key, folded_key, host, place)
    join host on named.host in ('', host.name)
    join link_addresses a on a.domain_id = host.id and a.workspace_id = ${workspaceId}
      and a.slug_key = case when host.is_case_sensitive then named.exact_key else named.folded_key end
    join links l on l.id = a.link_id and l.workspace_id = ${workspaceId}`
  for (const { place, id, slug } of rows) links[place - 1]!.push({ id, slug })
  return links
}

export function toNamedLink(
  { link }: Pick<Draft, 'link'>,
  { own, foreign }: KnownLinks,
  withSlug: readonly Link[],
): Link | null {
  if (link === null) return null
  if ('id' in link) {
    const found = own.get(link.id)
    if (found) return found
    if (foreign.has(link.id)) throw foreignId('linkId')
    throw invalid('linkId', 'linkId is not the id of a link.', 'unknown')
  }
  const [found, ...others] = withSlug
  if (!found) throw invalid('slug', 'slug is not the slug of a link of the workspace.', 'unknown')
  if (others.length > 0)
    throw invalid(
      'slug',
      'Several domains have this slug; name one of them in domain.',
      'ambiguous',
    )
  return found
}

/** `isWaiting`: a conversion of the customer waits for its own click. */
export type CustomerClicks = { click: CustomerClick | undefined; isWaiting: boolean }

type Customer = Pick<Draft, 'customerId' | 'occurredAt'>
type CustomerRow = CustomerClick & { place: number; isWaiting: boolean }

export async function readCustomerClicks(
  tx: Tx,
  { workspaceId }: Pick<Principal, 'workspaceId'>,
  customers: readonly Customer[],
): Promise<CustomerClicks[]> {
  if (customers.length === 0) return []
  const from = customers.map(({ occurredAt }) => toIso(occurredAt.getTime() - WINDOW_MS))
  const to = customers.map(({ occurredAt }) => toIso(toLatest(occurredAt)))
  const rows = await tx<CustomerRow[]>`
    select named.place::int, c.link_id, c.slug, c.click_id, c.clicked_at, c.labels, exists (
      select from conversions w
      where w.workspace_id = ${workspaceId} and w.customer_id = named.id and w.status = 'waiting'
        and w.named_click_id is not null
    ) as is_waiting
    from unnest(${customers.map(({ customerId }) => customerId!)}::text[], ${from}::text[], ${to}::text[])
      with ordinality as named (id, from_time, to_time, place)
    left join lateral (
      select link_id, slug, click_id, clicked_at, labels from conversions c
      where c.workspace_id = ${workspaceId} and c.customer_id = named.id and c.click_id is not null
        and c.clicked_at between named.from_time::timestamptz and named.to_time::timestamptz
      order by c.clicked_at desc limit 1
    ) c on true
    order by named.place`
  return rows.map(({ place: _place, isWaiting, ...click }) => ({
    click: click.clickId === null ? undefined : click,
    isWaiting,
  }))
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
