import { bindDeps } from '../../base/bind-deps.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { allOf, inWorkspace } from '../../storage/postgres.ts'
import { requireOwn } from '../own.ts'
import { clampLimit, type Paged } from '../shapes.ts'
import { createMany } from './create.ts'
import { deleteMany } from './delete.ts'
import type { LinkDeps } from './dependencies.ts'
import { readDomains } from './domains.ts'
import { explainDraft, explainLink } from './explain.ts'
import { hashChangedPassword, hashNewPasswords } from './hashes.ts'
import { readHistory, readLater } from './history.ts'
import { listLinks } from './list.ts'
import { toLink } from './outcomes.ts'
import type { PeriodClicksDeps } from './period-clicks.ts'
import { findDeleted, restoreLink } from './restore.ts'
import type { CreateLink, Link, UpdateLink } from './schema.ts'
import { load, lock, show } from './stored.ts'
import { revertMany } from './undo.ts'
import { updateMany } from './update.ts'

export type Links = ReturnType<typeof createLinks>

/**
 * The links of a workspace. Every write is that of a list: plan limit, rows, audit rows, events, and the notices that
 * make the edges forget the links, in one transaction.
 */
export const createLinks = (deps: LinkDeps & PeriodClicksDeps) =>
  bindDeps(deps, {
    ...{ find, get, list: listLinks, create, update, remove },
    ...{ findDeleted, restore: restoreLink },
    ...{ history, rollback, explain: explainLink, explainDraft },
  })

/** Authorizes the id in a path, before the body is read. */
function find({ sql }: LinkDeps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'links', params['id'], 'link')
}

async function get(deps: LinkDeps, who: Who, id: string): Promise<Link> {
  return show(deps, await inWorkspace(deps.sql, who.workspaceId, (tx) => load(tx, who, id)))
}

/**
 * @throws ApiError CONFLICT when the slug is taken, or reserved for another workspace; PLAN_LIMIT_REACHED;
 *   PLAN_CAPABILITY_REQUIRED
 */
async function create(deps: LinkDeps, who: Who, input: CreateLink): Promise<Link> {
  const hashes = await hashNewPasswords(deps, who, [input])
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [outcome] = await createMany(deps, tx, who, [input], hashes)
    return deps.keepAnswer(tx, who, toLink(outcome))
  })
}

/** @throws ApiError as a creation does; PRECONDITION_FAILED */
async function update(deps: LinkDeps, who: Who, id: string, input: UpdateLink): Promise<Link> {
  const hashes = await hashChangedPassword(deps, who, id, input)
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [outcome] = await updateMany(deps, tx, who, [{ id, input }], hashes)
    return toLink(outcome)
  })
}

/** Gives a link the fields that it had right after an entry of its history, except for the password. */
async function rollback(deps: LinkDeps, who: Who, id: string, historyId: string): Promise<Link> {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [, before] = await allOf([readDomains(tx, who, [], [id]), lock(tx, who, id)])
    const versions = await readLater(tx, who, before, historyId)
    const [outcome] = await revertMany(deps, tx, who, [{ link: before, versions }])
    return deps.keepAnswer(tx, who, toLink(outcome))
  })
}

async function history({ sql }: LinkDeps, who: Who, id: string, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const { entries, total } = await inWorkspace(sql, who.workspaceId, async (tx) =>
    readHistory(tx, who, await load(tx, who, id), slice),
  )
  return page(entries, { total, ...slice })
}

/** @throws ApiError NOT_FOUND */
async function remove(deps: LinkDeps, who: Who, id: string): Promise<void> {
  await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [outcome] = await deleteMany(deps, tx, who, [id])
    toLink(outcome)
  })
}
