import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { matchesName, toNameOrder } from '../../platform/resources/lists.ts'
import { noSuch, ownTable } from '../../platform/resources/ownership.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { page } from '../../platform/routes/route.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  MAX_VIEWS,
  NAME_MAX_CHARS,
  SORT_KEYS,
  type CreateLinkView,
  type LinkView,
  type ListLinkViews,
  type UpdateLinkView,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'clock' | 'audit' | 'saveIdempotentResponse'>

type ViewRow = Omit<LinkView, 'createdAt' | 'updatedAt'> & { createdAt: Date; updatedAt: Date }

const NOUN = 'view'
const COLUMNS = 'id, workspace_id, user_id, name, is_shared, query, created_at, updated_at'

const table = ownTable<ViewRow>('link_views', NOUN, COLUMNS)
const { find, load } = table
type Reads = Parameters<typeof table.list>[0]['reads']

export type LinkViews = ReturnType<typeof createLinkViews>

export const createLinkViews = (deps: Deps) =>
  bindDeps(deps, { find, list, create, update, remove })

/** The user's own views and shared ones. There are few, so they are read outside the bounds of heavy reads. */
async function list({ sql }: Deps, principal: Principal, query: ListLinkViews) {
  const reads: Reads = {
    read: (_, __, work) => inWorkspace(sql, principal.workspaceId, work),
  }
  const { rows, meta } = await table.list(
    { reads },
    principal,
    query,
    undefined,
    (tx) => [tx`(is_shared or user_id = ${principal.userId})`, matchesName(tx, query.search)],
    (tx) => toNameOrder(tx, SORT_KEYS, query),
  )
  return page(rows.map(toIsoTimes), meta)
}

async function create(deps: Deps, principal: Principal, input: CreateLinkView) {
  const { sql, clock } = deps
  const { workspaceId, userId } = principal
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  return inWorkspace(sql, workspaceId, async (tx) => {
    await requireRoom(tx, principal)
    const nowMs = clock()
    const now = new Date(nowMs)
    const { query, isShared = false } = input
    const row: ViewRow = {
      ...{ id: newId('viw', nowMs), workspaceId, userId, name, query, isShared },
      ...{ createdAt: now, updatedAt: now },
    }
    await tx`insert into link_views ${tx({ ...row, workspaceId })}`
    await deps.audit(tx, principal, {
      action: 'link_view.created',
      target: toTarget(row),
      changes: getChanges({}, toValues(row)),
    })
    return deps.saveIdempotentResponse(tx, principal, toIsoTimes(row))
  })
}

async function update(deps: Deps, principal: Principal, id: string, input: UpdateLinkView) {
  const { sql, clock } = deps
  const { workspaceId } = principal
  const columns = {
    ...input,
    ...(input.name !== undefined && { name: checkName(input.name, 'name', NAME_MAX_CHARS) }),
  }
  return inWorkspace(sql, workspaceId, async (tx) => {
    const before = await loadVisible(tx, principal, id)
    requireMatch(principal, toIsoTimes(before))
    if (!isDifferent(before, columns)) return toIsoTimes(before)
    const after = { ...before, ...columns, updatedAt: changeTime(clock(), before) }
    const { name, query, isShared, updatedAt } = after
    await tx`
      update link_views set ${tx({ name, query, isShared, updatedAt })}
      where id = ${id} and workspace_id = ${workspaceId}`
    await deps.audit(tx, principal, {
      action: 'link_view.updated',
      target: toTarget(after),
      changes: getChanges(toValues(before), toValues(after)),
    })
    return toIsoTimes(after)
  })
}

async function remove(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    const row = await loadVisible(tx, principal, id)
    await tx`delete from link_views where id = ${id} and workspace_id = ${workspaceId}`
    await deps.audit(tx, principal, {
      action: 'link_view.deleted',
      target: toTarget(row),
      changes: getChanges(toValues(row), {}),
    })
  })
}

/** @throws ApiError NOT_FOUND for another user's view that is not shared */
async function loadVisible(tx: Tx, principal: Principal, id: string): Promise<ViewRow> {
  const row = await load(tx, principal, id, 'for update')
  if (!row.isShared && row.userId !== principal.userId) throw noSuch(NOUN)
  return row
}

/** Without a lock: a few views too many, created at the same moment, harm nobody. */
async function requireRoom(tx: Tx, { workspaceId, userId }: Principal): Promise<void> {
  const [row] = await tx<[{ views: number }]>`
    select count(*) as views from link_views
    where workspace_id = ${workspaceId} and user_id = ${userId}`
  if (row.views >= MAX_VIEWS)
    throw new ApiError('CONFLICT', `A user can have ${MAX_VIEWS} views. Delete one first.`)
}

function toValues({ name, query, isShared }: ViewRow): object {
  return { name, query, isShared }
}

function toTarget({ id, name }: { id: string; name: string }) {
  return { type: 'link_view', id, name }
}
