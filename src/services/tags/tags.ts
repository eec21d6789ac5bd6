import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Fragment, type Tx } from '../../storage/postgres.ts'
import type { AuditAction } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { matchesName, toNameOrder } from '../name-lists.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { toTag } from '../tag-names.ts'
import { changePiece, hasLinks, TAG_CHANGE, type TagChange } from './change.ts'
import { SORT_KEYS, type ListTags, type RenamedTag, type RenameTag, type Tag } from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit'> & {
  jobs: Pick<Jobs, 'enqueue' | 'list'>
}

export type Tags = ReturnType<typeof createTags>

/** The tags of the links of a workspace. A tag exists while a link has it. */
export const createTags = (deps: Deps) => bindDeps(deps, { find, list, rename, remove })

/** @throws ApiError NOT_FOUND for a tag that no link of the caller's workspace has */
async function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  const name = toStored(params['name'] ?? '')
  const rows = await inWorkspace(
    sql,
    who.workspaceId,
    (tx) => tx`
    select from link_tags where workspace_id = ${who.workspaceId} and tag = ${name} limit 1`,
  )
  if (rows.length === 0) throw new ApiError('NOT_FOUND', 'No link has this tag.')
}

async function list({ reads }: Deps, who: Who, query: ListTags, signal?: AbortSignal) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const [rows, total] = await reads.read(who, signal, (tx) => {
    const found = tx`(${namesOf(tx, who)}) as tags where ${matchesName(tx, query.search)}`
    const order = toNameOrder(tx, SORT_KEYS, query, 'name')
    const links = tx`(
      select count(*) from link_tags t where t.workspace_id = ${who.workspaceId} and t.tag = name
    ) as links`
    // In the order of names, links are counted for the tags of the page only.
    const rowsOf =
      query.sortBy === 'name'
        ? tx<Tag[]>`
            select name, ${links} from (
              select name from ${found} order by ${order} limit ${slice.limit} offset ${slice.offset}
            ) as tags order by ${order}`
        : tx<Tag[]>`
            select name, links from (select name, ${links} from ${found}) as tags
            order by ${order} limit ${slice.limit} offset ${slice.offset}`
    return Promise.all([rowsOf, countRows(tx, found, false)])
  })
  return page(rows, pageMeta(total, false, slice))
}

/** Each tag once: from each the index leads to the next, past the links of that tag. */
function namesOf(tx: Tx, { workspaceId }: Who): Fragment {
  return tx`
    with recursive each_tag (name) as (
      (select tag from link_tags where workspace_id = ${workspaceId} order by tag limit 1)
      union all
      select (
        select t.tag from link_tags t
        where t.workspace_id = ${workspaceId} and t.tag > e.name order by t.tag limit 1)
      from each_tag e where e.name is not null
    ) select name from each_tag where name is not null`
}

async function rename(deps: Deps, who: Who, name: string, input: RenameTag): Promise<RenamedTag> {
  const [from, to] = [toStored(name), toTag(input.name, 'name')]
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    if (from !== to) await change(deps, tx, who, from, to)
    const [links, pending] = await Promise.all([
      countLinks(tx, who, to),
      from === to ? 0 : countLinks(tx, who, from),
    ])
    return { name: to, links, pending }
  })
}

async function remove(deps: Deps, who: Who, name: string): Promise<void> {
  const from = toStored(name)
  await inWorkspace(deps.sql, who.workspaceId, (tx) => change(deps, tx, who, from, null))
}

/**
 * Changes the links of a tag: a thousand in this transaction, and the rest by a job. Links keep either
 * their old tags or get the new ones, and are found by those that they have.
 * @throws ApiError CONFLICT while a job changes a tag of the workspace, since the outcome of two would
 *   depend on their speed
 */
async function change(
  { audit, clock, jobs }: Deps,
  tx: Tx,
  who: Who,
  from: string,
  to: string | null,
): Promise<void> {
  await tx`select from workspaces where id = ${who.workspaceId} for no key update`
  await requireIdle(jobs, tx, who)
  const now = new Date(clock())
  const wanted: TagChange = { from, to, at: now.toISOString() }
  await changePiece(tx, who, wanted, now)
  if (await hasLinks(tx, who, wanted)) await jobs.enqueue(tx, who, TAG_CHANGE, wanted)
  const action: AuditAction = to === null ? 'tag.deleted' : 'tag.renamed'
  await audit(tx, who, {
    action,
    // A tag has no id of its own: the same text may be a tag of other workspaces.
    target: { type: 'tag', id: newId('tag', now.getTime()), name: from },
    changes: { name: { old: from, new: to } },
  })
}

async function requireIdle(jobs: Deps['jobs'], tx: Tx, who: Who): Promise<void> {
  const { jobs: newest } = await jobs.list(tx, who, TAG_CHANGE, { limit: 1, offset: 0 })
  const status = newest[0]?.status
  if (status !== 'pending' && status !== 'processing') return
  throw new ApiError(
    'CONFLICT',
    'Another tag of this workspace is still being renamed or deleted; try again when it is done.',
  )
}

async function countLinks(tx: Tx, { workspaceId }: Who, tag: string): Promise<number> {
  return countRows(tx, tx`link_tags where workspace_id = ${workspaceId} and tag = ${tag}`, false)
}

function toStored(name: string): string {
  return name.trim().normalize('NFC')
}
