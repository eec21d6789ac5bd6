import { bindDeps } from '../../platform/core/functions.ts'
import { scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { ListDeps } from '../link/dependencies.ts'
import { namesOf } from '../tags/tags.ts'
import { findLinks, type Term } from './links.ts'
import { SearchQuery, SearchResults, type SectionName } from './schema.ts'
import { route } from '../../platform/routes/route.ts'

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
