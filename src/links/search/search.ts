import { bindDeps } from '../../platform/core/bind-deps.ts'
import { scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import type { Fragment, Tx } from '../../platform/storage/postgres/postgres.ts'
import type { SearchDeps, Sought } from './dependencies.ts'
import { findLinks } from './links.ts'
import type { SearchQuery, SearchResults, SectionName } from './schema.ts'

export type Search = ReturnType<typeof createSearch>

/** Number of tags of a workspace that are compared, in the order of their letters. */
const MAX_TAGS = 10_000

/** The search over all kinds of a workspace, within the bounds of heavy reads. */
export const createSearch = (deps: SearchDeps) => bindDeps(deps, { find })

type Section = {
  scope: string
  find: (
    deps: SearchDeps,
    tx: Tx,
    principal: Principal,
    sought: Sought,
  ) => Promise<readonly object[]>
}

const SECTIONS: Readonly<Record<SectionName, Section>> = {
  links: { scope: 'links:read', find: findLinks },
  campaigns: { scope: 'campaigns:read', find: findCampaigns },
  tags: { scope: 'links:read', find: findTags },
  folders: { scope: 'links:read', find: findFolders },
  webhookEndpoints: { scope: 'webhooks:read', find: findEndpoints },
  members: { scope: 'members:read', find: findMembers },
}

/** @throws ApiError RATE_LIMITED as other heavy reads */
async function find(
  deps: SearchDeps,
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
        await section.find(deps, tx, principal, { term, limit }),
      ]),
    )
    return Object.fromEntries(found) as SearchResults
  })
}

function findCampaigns(
  _deps: SearchDeps,
  tx: Tx,
  { workspaceId }: Principal,
  { term, limit }: Sought,
) {
  return tx<object[]>`
    select id, name, status from campaigns
    where workspace_id = ${workspaceId} and ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, status = 'archived', created_at desc, id desc
    limit ${limit}`
}

/** Each tag once: from each the index leads to the next, past the links of that tag. */
function findTags(_deps: SearchDeps, tx: Tx, { workspaceId }: Principal, { term, limit }: Sought) {
  return tx<object[]>`
    with recursive each_tag (name) as (
      (select tag from link_tags where workspace_id = ${workspaceId} order by tag limit 1)
      union all
      select (
        select t.tag from link_tags t
        where t.workspace_id = ${workspaceId} and t.tag > e.name order by t.tag limit 1)
      from each_tag e where e.name is not null
    )
    select name from (select name from each_tag where name is not null limit ${MAX_TAGS}) as tags
    where ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, name limit ${limit}`
}

function findFolders(
  _deps: SearchDeps,
  tx: Tx,
  { workspaceId }: Principal,
  { term, limit }: Sought,
) {
  return tx<object[]>`
    select id, name from folders
    where workspace_id = ${workspaceId} and ${contains(tx, tx`name`, term)}
    order by ${begins(tx, tx`name`, term)} desc, name_key limit ${limit}`
}

function findEndpoints(
  _deps: SearchDeps,
  tx: Tx,
  { workspaceId }: Principal,
  { term, limit }: Sought,
) {
  return tx<object[]>`
    select id, url, description, status from webhook_endpoints
    where workspace_id = ${workspaceId} and deleted_at is null
      and (${contains(tx, tx`url`, term)} or ${contains(tx, tx`coalesce(description, '')`, term)})
    order by ${begins(tx, tx`coalesce(description, '')`, term)} desc, created_at desc, id desc
    limit ${limit}`
}

function findMembers(
  _deps: SearchDeps,
  tx: Tx,
  { workspaceId }: Principal,
  { term, limit }: Sought,
) {
  return tx<object[]>`
    select m.user_id, u.name, u.email, m.role
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId}
      and (${contains(tx, tx`u.name`, term)} or ${contains(tx, tx`u.email`, term)})
    order by ${begins(tx, tx`u.name`, term)} desc, u.name, m.user_id limit ${limit}`
}

/** Folded as in the search of links: in any case, composed or not. */
function contains(tx: Tx, column: Fragment, term: string): Fragment {
  return tx`strpos(search_form(${column}), search_form(${term})) > 0`
}

function begins(tx: Tx, column: Fragment, term: string): Fragment {
  return tx`starts_with(search_form(${column}), search_form(${term}))`
}
