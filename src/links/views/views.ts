import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { countRows, matchesName, pageMeta, toNameOrder } from '../../platform/resources/lists.ts'
import { noSuch, ownTable } from '../../platform/resources/ownership.ts'
import { clampLimit, toIsoTimes } from '../../platform/resources/shapes.ts'
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

const { find, load } = ownTable<ViewRow>('link_views', NOUN, COLUMNS)

export type LinkViews = ReturnType<typeof createLinkViews>

export const createLinkViews = (deps: Deps) =>
  bindDeps(deps, { find, list, create, update, remove })

/** Those of the user, and those that are shared. */
async function list({ sql }: Deps, principal: Principal, query: ListLinkViews) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const [rows, counted] = await inWorkspace(sql, principal.workspaceId, (tx) => {
    const where = tx`workspace_id = ${principal.workspaceId}
      and (is_shared or user_id = ${principal.userId}) and ${matchesName(tx, query.search) ?? tx`true`}`
    return Promise.all([
      tx<ViewRow[]>`
        select ${tx.unsafe(COLUMNS)} from link_views where ${where}
        order by ${toNameOrder(tx, SORT_KEYS, query)}
        limit ${slice.limit} offset ${slice.offset}`,
      countRows(tx, tx`link_views where ${where}`, true),
    ])
  })
  return page(rows.map(toIsoTimes), pageMeta(counted, true, slice))
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

/** @throws ApiError NOT_FOUND for the own view of another user */
async function loadVisible(tx: Tx, principal: Principal, id: string): Promise<ViewRow> {
  const row = await load(tx, principal, id, 'for update')
  if (!row.isShared && row.userId !== principal.userId) throw noSuch(NOUN)
  return row
}

/** Requests at the same time may pass the number by theirs, which protects nothing but the menu. */
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
