import { bindDeps } from '../../platform/core/functions.ts'
import { scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListDeps, ShortHost } from '../link/dependencies.ts'
import { namesOf } from '../tags/tags.ts'
import { SearchQuery, SearchResults, type FoundLink, type SectionName } from './schema.ts'
import { route } from '../../platform/routes/route.ts'
import { slugFromPath, slugKey, slugKeyOf } from '../../platform/facts/slug.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import { statusOf } from '../link/rows.ts'

export type Search = ReturnType<typeof createSearch>

const MAX_TAGS = 10_000

export const createSearch = (deps: ListDeps) => bindDeps(deps, { find })

type Find = (tx: Tx, principal: Principal, term: Term, deps: ListDeps) => Promise<readonly object[]>

const SECTIONS: Readonly<Record<SectionName, { scope: string; find: Find }>> = {
  links: { scope: 'links:read', find: findLinks },
  campaigns: { scope: 'campaigns:read', find: findCampaigns },
  tags: { scope: 'links:read', find: findTags },
  folders: { scope: 'links:read', find: findFolders },
  webhookEndpoints: { scope: 'webhooks:read', find: findEndpoints },
  members: { scope: 'members:read', find: findMembers },
}

async function find(
  deps: ListDeps,
  principal: Principal,
  { q, limit }: SearchQuery,
  signal?: AbortSignal,
): Promise<SearchResults> {
  const term = q.normalize('NFC').trim()
  const sections = Object.entries(SECTIONS).filter(([, { scope }]) =>
    scopeCovers(principal.scopes, scope),
  )
  if (term === '') return Object.fromEntries(sections.map(([name]) => [name, []]))
  if (sections.length === 0) return {}
  return deps.reads.read(principal, signal, async (tx) => {
    const found = await Promise.all(
      sections.map(async ([name, section]) => [
        name,
        await section.find(tx, principal, { term, limit }, deps),
      ]),
    )
    return Object.fromEntries(found) as SearchResults
  })
}

function findCampaigns(tx: Tx, { workspaceId }: Principal, { term, limit }: Term) {
  return tx<object[]>`
    select id, name, status from campaigns
    where workspace_id = ${workspaceId} and ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, status = 'archived', created_at desc, id desc
    limit ${limit}`
}

function findTags(tx: Tx, principal: Principal, { term, limit }: Term) {
  return tx<object[]>`
    select name from (${namesOf(tx, principal)} limit ${MAX_TAGS}) as tags
    where ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, name limit ${limit}`
}

function findFolders(tx: Tx, { workspaceId }: Principal, { term, limit }: Term) {
  return tx<object[]>`
    select id, name from folders
    where workspace_id = ${workspaceId} and ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, name_key limit ${limit}`
}

function findEndpoints(tx: Tx, { workspaceId }: Principal, { term, limit }: Term) {
  return tx<object[]>`
    select id, url, description, status from webhook_endpoints
    where workspace_id = ${workspaceId} and deleted_at is null
      and (${contains(tx, tx`url`, term)} or ${contains(tx, tx`coalesce(description, '')`, term)})
    order by ${begins(tx, tx`coalesce(description, '')`, term)} desc, created_at desc, id desc
    limit ${limit}`
}

function findMembers(tx: Tx, { workspaceId }: Principal, { term, limit }: Term) {
  return tx<object[]>`
    select m.user_id, u.name, u.email, m.role
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}
      and (${contains(tx, tx`u.name`, term)} or ${contains(tx, tx`u.email`, term)})
    order by ${begins(tx, tx`u.name`, term)} desc, u.name, m.user_id limit ${limit}`
}

/** Ignores case and Unicode composition, as the search of links does. */
function contains(tx: Tx, column: Fragment, term: string): Fragment {
  return tx`strpos(search_form(${column}), search_form(${term})) > 0`
}

function begins(tx: Tx, column: Fragment, term: string): Fragment {
  return tx`starts_with(search_form(${column}), search_form(${term}))`
}

export const searchRoutes = (search: Search) => [
  route('GET /search', {
    // Each section checks the scope of what it finds.
    requires: { credential: 'any', role: 'viewer' },
    skipConcurrencyLimit: true,
    name: 'search',
    summary: 'Search the workspace',
    description:
      'Finds links, campaigns, tags, folders, webhook endpoints and members, a few of each: an exact slug first, then what begins with the text, then what contains it. A pasted short URL finds its link.',
    tag: 'Search',
    shapes: { query: SearchQuery, reply: SearchResults },
    handle: (principal, { query }, signal) => search.find(principal, query, signal),
  }),
]

/** Matches that are ranked; of a frequent text only the newest. */
const MAX_MATCHES = 200
const MAX_SLUG_CHARS = 380
const MAX_EXTERNAL_ID_CHARS = 255
/** Sorts after every text with the same beginning. */
const LAST = '\u{10ffff}'
/** Terms that the search index supports; any other one would be compared with every link. */
const INDEXED = /[A-Za-z0-9]{3}|[^ -~]/
const SCHEME = /^https?:\/\//i

export type Term = { term: string; limit: number }

type Id = { id: string }
type Match = Id & { name: string; slug: string }
type Row = Omit<FoundLink, 'shortUrl'> & { hostname: string | null }
type Keys = readonly string[]

/**
 * The links of a search, best first:
 *
 *   1. the slug, alias or external id is the text, or the text is the short URL
 *   2. one of them begins with it
 *   3. name, slug or destination contains it: at the beginning of the name, of one of its words, anywhere
 *
 * Each part reads a bounded number from an index, so that the cost does not grow with the workspace.
 */
async function findLinks(
  tx: Tx,
  principal: Principal,
  { term, limit }: Term,
  { clock, shortHost }: ListDeps,
): Promise<FoundLink[]> {
  const host = shortHost()
  const pasted = await readPasted(tx, principal, term, host)
  const key = term.length > MAX_SLUG_CHARS ? '' : slugKey(term)
  const [exact, beginning, matches] = await Promise.all([
    findExact(tx, principal, term, [
      ...(key === '' ? [] : [key, slugKeyOf(term, true)]),
      ...pasted,
    ]),
    findBeginning(tx, principal, term, pasted[0] ?? key, limit),
    INDEXED.test(term) ? findMatches(tx, principal, term) : [],
  ])
  const ordered = [...exact, ...beginning, ...toRanked(matches, term)].map(({ id }) => id)
  const ids = [...new Set(ordered)].slice(0, limit)
  if (ids.length === 0) return []
  const rows = await readRows(tx, principal, ids, new Date(clock()))
  return rows
    .toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    .map(({ hostname, ...row }) => ({ ...row, shortUrl: shortUrlOf(host, hostname, row.slug) }))
}

async function readPasted(tx: Tx, { workspaceId }: Principal, term: string, host: ShortHost) {
  const url = URL.parse(SCHEME.test(term) ? term : `http://${term}`)
  if (!url || url.pathname === '/') return []
  const slug = slugFromPath(url.pathname, true)
  if (slug === null || slug === 'malformed') return []
  if (!host.isOwn(url)) {
    const domains = await tx`
      select from domains where workspace_id = ${workspaceId} and hostname = ${url.hostname}`
    if (domains.length === 0) return []
  }
  return [slugKey(slug.slug), slug.key]
}

function findExact(tx: Tx, { workspaceId }: Principal, term: string, keys: Keys) {
  return tx<Id[]>`
    select id from links where workspace_id = ${workspaceId} and slug_key = any(${[...keys]}::text[])
    union all
    select link_id as id from link_addresses
    where workspace_id = ${workspaceId} and is_alias and slug_key = any(${[...keys]}::text[])
    union all
    select id from links
    where workspace_id = ${workspaceId} and external_id = ${toExternalId(term)}`
}

function findBeginning(
  tx: Tx,
  { workspaceId }: Principal,
  term: string,
  key: string,
  limit: number,
): Promise<Id[]> {
  const externalId = toExternalId(term)
  return tx<Id[]>`
    (select id from links
      where workspace_id = ${workspaceId} and slug_key >= ${key} and slug_key < ${key + LAST}
        and ${key} <> ''
      order by slug_key, id limit ${limit})
    union all
    (select link_id as id from link_addresses
      where workspace_id = ${workspaceId} and is_alias
        and slug_key >= ${key} and slug_key < ${key + LAST} and ${key} <> ''
      order by slug_key limit ${limit})
    union all
    (select id from links
      where workspace_id = ${workspaceId} and external_id >= ${externalId}
        and external_id < ${externalId + LAST}
      order by external_id limit ${limit})`
}

/** No external id is longer, so a longer term need not be compared as a whole. */
function toExternalId(term: string): string {
  return term.slice(0, MAX_EXTERNAL_ID_CHARS + 1)
}

function findMatches(tx: Tx, { workspaceId }: Principal, term: string): Promise<Match[]> {
  return tx<Match[]>`
    select id, name, slug from links
    where workspace_id = ${workspaceId}
      and id = any(array(select matching_links(${term}, ${MAX_MATCHES})))
    order by status = 'archived', created_at desc, id desc`
}

function toRanked(matches: readonly Match[], term: string): Match[] {
  const text = fold(term)
  const rankOf = ({ name, slug }: Match): number => {
    const folded = fold(name)
    if (folded === text) return 0
    if (folded.startsWith(text)) return 1
    if (beginsAWord(folded, text)) return 2
    return folded.includes(text) || fold(slug).includes(text) ? 3 : 4
  }
  return matches
    .map((match) => ({ match, rank: rankOf(match) }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ match }) => match)
}

function beginsAWord(text: string, term: string): boolean {
  for (let at = text.indexOf(term); at > 0; at = text.indexOf(term, at + 1))
    if (!/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
  return false
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase()
}

function readRows(tx: Tx, { workspaceId }: Principal, ids: readonly string[], now: Date) {
  return tx<Row[]>`
    select l.id, l.name, l.slug, l.destination_url, l.external_id,
      (select d.hostname from domains d
        where d.id = l.domain_id and d.workspace_id = l.workspace_id) as hostname,
      ${statusOf(tx, now)} as status
    from links l
    where l.workspace_id = ${workspaceId} and l.id = any(${[...ids]}::text[])`
}
