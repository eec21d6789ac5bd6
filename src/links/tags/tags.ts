import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Fragment, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { AuditAction } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Jobs, JobKind } from '../../platform/jobs/jobs.ts'
import { matchesName, toNameOrder, countRows, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { changeAll, PIECE_LINKS } from '../group-clearing.ts'
import { toTag } from '../labels.ts'
import { SORT_KEYS, type ListTags, type RenamedTag, type RenameTag, type Tag } from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit'> & {
  jobs: Pick<Jobs, 'enqueue' | 'list'>
}

export type Tags = ReturnType<typeof createTags>

type TagChange = {
  from: string
  to: string | null
  /** Links that were created after this time keep the tag. */
  at: string
}

const TAG_CHANGE = 'tag-change'

/** A tag exists while a link has it. */
export const createTags = (deps: Deps) => bindDeps(deps, { find, list, rename, remove })

async function find({ sql }: Deps, principal: Principal, params: Record<string, string>) {
  const name = toStored(params['name'] ?? '')
  const rows = await inWorkspace(
    sql,
    principal.workspaceId,
    (tx) => tx`
    select from link_tags where workspace_id = ${principal.workspaceId} and tag = ${name} limit 1`,
  )
  if (rows.length === 0) throw new ApiError('NOT_FOUND', 'No link has this tag.')
}

async function list({ reads }: Deps, principal: Principal, query: ListTags, signal?: AbortSignal) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const [rows, total] = await reads.read(principal, signal, (tx) => {
    const found = tx`(${namesOf(tx, principal)}) as tags where ${matchesName(tx, query.search) ?? tx`true`}`
    const order = toNameOrder(tx, SORT_KEYS, query, 'name')
    const links = tx`(
      select count(*) from link_tags t where t.workspace_id = ${principal.workspaceId} and t.tag = name
    ) as links`
    // In the order of names, links are counted only for the tags of the page.
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

/** Selects each tag once: the recursion skips in the index from one tag to the next. */
export function namesOf(tx: Tx, { workspaceId }: Principal): Fragment {
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

async function rename(
  deps: Deps,
  principal: Principal,
  name: string,
  input: RenameTag,
): Promise<RenamedTag> {
  const [from, to] = [toStored(name), toTag(input.name, 'name')]
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    if (from !== to) await change(deps, tx, principal, from, to)
    const [links, pending] = await Promise.all([
      countLinks(tx, principal, to),
      from === to ? 0 : countLinks(tx, principal, from),
    ])
    return { name: to, links, pending }
  })
}

async function remove(deps: Deps, principal: Principal, name: string): Promise<void> {
  const from = toStored(name)
  await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    change(deps, tx, principal, from, null),
  )
}

/** A thousand links in this transaction, the rest by a job; until then a link is found by its old tag. */
async function change(
  { audit, clock, jobs }: Deps,
  tx: Tx,
  principal: Principal,
  from: string,
  to: string | null,
): Promise<void> {
  await tx`select from workspaces where id = ${principal.workspaceId} for no key update`
  await requireIdle(jobs, tx, principal)
  const now = new Date(clock())
  const wanted: TagChange = { from, to, at: now.toISOString() }
  await changePiece(tx, principal, wanted, now)
  if (await hasLinks(tx, principal, wanted)) await jobs.enqueue(tx, principal, TAG_CHANGE, wanted)
  const action: AuditAction = to === null ? 'tag.deleted' : 'tag.renamed'
  await audit(tx, principal, {
    action,
    // A tag has no id, and other workspaces may have the same one.
    target: { type: 'tag', id: newId('tag', now.getTime()), name: from },
    changes: { name: { old: from, new: to } },
  })
}

export const tagChangeKind: JobKind = {
  name: TAG_CHANGE,
  requires: null,
  run({ input, commitPiece }) {
    const wanted = input as TagChange
    return changeAll(
      commitPiece,
      (tx, principal) => changePiece(tx, principal, wanted, new Date(wanted.at)),
      (tx, principal) => hasLinks(tx, principal, wanted),
    )
  },
}

/** Skips links that another transaction has locked. Triggers of `links` update `link_tags`. */
async function changePiece(
  tx: Tx,
  { workspaceId }: Principal,
  { from, to, at }: TagChange,
  now: Date,
): Promise<number> {
  const without = tx`nullif(array_remove(l.tags, ${from}::text), '{}')`
  const tags =
    to === null
      ? without
      : tx`case when ${to}::text = any(l.tags) then ${without} else array_replace(l.tags, ${from}::text, ${to}::text) end`
  const changed = await tx`
    update links l set tags = ${tags}, updated_at = greatest(l.updated_at + interval '1 millisecond', ${now})
    where l.workspace_id = ${workspaceId} and l.id in (
      select locked.id from links locked
      where locked.workspace_id = ${workspaceId} and locked.id = any(array(
        select t.link_id from link_tags t
        where t.workspace_id = ${workspaceId} and t.tag = ${from} and t.created_at <= ${at}
        limit ${PIECE_LINKS}))
      for update skip locked)`
  return changed.count
}

async function hasLinks(tx: Tx, { workspaceId }: Principal, { from, at }: TagChange) {
  const rows = await tx`
    select from link_tags
    where workspace_id = ${workspaceId} and tag = ${from} and created_at <= ${at} limit 1`
  return rows.length > 0
}

async function requireIdle(jobs: Deps['jobs'], tx: Tx, principal: Principal): Promise<void> {
  const { jobs: newest } = await jobs.list(tx, principal, TAG_CHANGE, { limit: 1, offset: 0 })
  const status = newest[0]?.status
  if (status !== 'pending' && status !== 'processing') return
  throw new ApiError(
    'CONFLICT',
    'Another tag of this workspace is still being renamed or deleted; try again when it is done.',
  )
}

async function countLinks(tx: Tx, { workspaceId }: Principal, tag: string): Promise<number> {
  return countRows(tx, tx`link_tags where workspace_id = ${workspaceId} and tag = ${tag}`, false)
}

function toStored(name: string): string {
  return name.trim().normalize('NFC')
}
