import { bindDeps } from '../../platform/core/functions.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { ownTable } from '../../platform/resources/ownership.ts'
import { clampLimit, type Paged } from '../../platform/resources/shapes.ts'
import { createMany, hashNewPasswords } from '../write/create.ts'
import { deleteMany, hashChangedPassword, updateMany } from '../write/change.ts'
import type { LinkDeps } from './dependencies.ts'
import { readDomains } from '../write/references.ts'
import { explainDraft, explainLink } from '../options/explain.ts'
import { readHistory, readLater } from '../history/versions.ts'
import { listLinks } from '../list/list.ts'
import { requireLink } from '../write/outcomes.ts'
import type { PeriodClicksDeps } from '../list/period-clicks.ts'
import { findDeleted, restoreLink, revertMany } from '../history/undo.ts'
import type { CreateLink, Link, UpdateLink } from './schema.ts'
import { load, lockMany, noSuchLink, show } from './rows.ts'

export type Links = ReturnType<typeof createLinks>

const { find } = ownTable('links', 'link')

export const createLinks = (deps: LinkDeps & PeriodClicksDeps) =>
  bindDeps(deps, {
    ...{ find, get, list: listLinks, create, update, remove },
    ...{ findDeleted, restore: restoreLink },
    ...{ history, rollback, explain: explainLink, explainDraft },
  })

async function get(deps: LinkDeps, principal: Principal, id: string): Promise<Link> {
  return show(
    deps,
    await inWorkspace(deps.sql, principal.workspaceId, (tx) => load(tx, principal, id)),
  )
}

async function create(deps: LinkDeps, principal: Principal, input: CreateLink): Promise<Link> {
  const hashes = await hashNewPasswords(deps, principal, [input])
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [outcome] = await createMany(deps, tx, principal, [input], hashes)
    return deps.saveIdempotentResponse(tx, principal, requireLink(outcome))
  })
}

async function update(deps: LinkDeps, principal: Principal, id: string, input: UpdateLink) {
  const hashes = await hashChangedPassword(deps, principal, id, input)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [outcome] = await updateMany(deps, tx, principal, [{ id, input }], hashes)
    return requireLink(outcome)
  })
}

async function rollback(deps: LinkDeps, principal: Principal, id: string, historyId: string) {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [, locked] = await allOf([
      readDomains(tx, principal, [], [id]),
      lockMany(tx, principal, [id]),
    ])
    const before = locked.get(id)
    if (!before) throw noSuchLink()
    const versions = await readLater(tx, principal, before, historyId)
    const [outcome] = await revertMany(deps, tx, principal, [{ link: before, versions }])
    return deps.saveIdempotentResponse(tx, principal, requireLink(outcome))
  })
}

async function history({ sql }: LinkDeps, principal: Principal, id: string, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const { entries, total } = await inWorkspace(sql, principal.workspaceId, async (tx) =>
    readHistory(tx, principal, await load(tx, principal, id), slice),
  )
  return page(entries, { total, ...slice })
}

async function remove(deps: LinkDeps, principal: Principal, id: string): Promise<void> {
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [outcome] = await deleteMany(deps, tx, principal, [id])
    requireLink(outcome)
  })
}
