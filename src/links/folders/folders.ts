import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { clearGroup } from '../group-clearing.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import { matchesName, toNameOrder } from '../../platform/resources/lists.ts'
import { checkName, toNameKey } from '../../platform/resources/field-checks.ts'
import { noSuch, ownTable, requireRoom } from '../../platform/resources/ownership.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import {
  NAME_MAX_CHARS,
  SORT_KEYS,
  type CreateFolder,
  type Folder,
  type ListFolders,
  type UpdateFolder,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'saveIdempotentResponse'> & {
  jobs: Pick<Jobs, 'enqueue'>
}

type FolderRow = {
  id: string
  workspaceId: string
  name: string
  links: number
  createdAt: Date
  updatedAt: Date
}

export type Folders = ReturnType<typeof createFolders>

const MAX_FOLDERS = 1_000
const COLUMNS = `id, workspace_id, name, created_at, updated_at, (
  select count(*) from links l
  where l.workspace_id = folders.workspace_id and l.folder_id = folders.id
) as links`

const table = ownTable<FolderRow>('folders', 'folder', COLUMNS)
const { find, load } = table

export const createFolders = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create: createFolder, update, remove })

async function get({ reads }: Deps, principal: Principal, id: string, signal?: AbortSignal) {
  return toIsoTimes(await reads.read(principal, signal, (tx) => load(tx, principal, id)))
}

async function list(deps: Deps, principal: Principal, query: ListFolders, signal?: AbortSignal) {
  const { rows, meta } = await table.list(
    deps,
    principal,
    query,
    signal,
    (tx) => [matchesName(tx, query.search)],
    (tx) => toNameOrder(tx, SORT_KEYS, query),
  )
  return page(rows.map(toIsoTimes), meta)
}

export async function createFolder(
  deps: Omit<Deps, 'jobs' | 'reads'>,
  principal: Principal,
  input: CreateFolder,
): Promise<Folder> {
  const { sql, clock } = deps
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    await lockNames(tx, principal)
    await requireRoom(tx, principal, 'folders', 'folders', MAX_FOLDERS, 'delete one, or use tags')
    await requireFree(tx, principal, name, null)
    const nowMs = clock()
    const now = new Date(nowMs)
    const { workspaceId } = principal
    const row = {
      id: newId('fld', nowMs),
      workspaceId,
      name,
      links: 0,
      createdAt: now,
      updatedAt: now,
    }
    await tx`
      insert into folders (id, workspace_id, name, name_key, created_at, updated_at)
      values (${row.id}, ${workspaceId}, ${name}, ${toNameKey(name)}, ${now}, ${now})`
    await deps.audit(tx, principal, {
      action: 'folder.created',
      target: toTarget(row),
      changes: { name: { old: null, new: name } },
    })
    return deps.saveIdempotentResponse(tx, principal, toIsoTimes(row))
  })
}

async function update(deps: Deps, principal: Principal, id: string, input: UpdateFolder) {
  const { sql, clock } = deps
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    await lockNames(tx, principal)
    const before = await load(tx, principal, id, 'for update')
    requireMatch(principal, toIsoTimes(before))
    const { name = before.name } = input
    const checked = checkName(name, 'name', NAME_MAX_CHARS)
    if (checked === before.name) return toIsoTimes(before)
    await requireFree(tx, principal, checked, id)
    const after = { ...before, name: checked, updatedAt: changeTime(clock(), before) }
    await tx`
      update folders
      set name = ${checked}, name_key = ${toNameKey(checked)}, updated_at = ${after.updatedAt}
      where id = ${id} and workspace_id = ${principal.workspaceId}`
    const changes = { name: { old: before.name, new: checked } }
    await deps.audit(tx, principal, { action: 'folder.updated', target: toTarget(after), changes })
    return toIsoTimes(after)
  })
}

async function remove(deps: Deps, principal: Principal, id: string): Promise<void> {
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const [row] = await tx<{ id: string; name: string }[]>`
      delete from folders where id = ${id} and workspace_id = ${principal.workspaceId}
      returning id, name`
    if (!row) throw noSuch('folder')
    await clearGroup(deps.jobs, tx, principal, { kind: 'folder', id })
    await deps.audit(tx, principal, {
      action: 'folder.deleted',
      target: toTarget(row),
      changes: { name: { old: row.name, new: null } },
    })
  })
}

/** Serializes creations and renames, so that each sees the names before it. */
async function lockNames(tx: Tx, { workspaceId }: Principal): Promise<void> {
  await tx`select from workspaces where id = ${workspaceId} for no key update`
}

async function requireFree(tx: Tx, principal: Principal, name: string, id: string | null) {
  const [taken] = await tx<{ name: string }[]>`
    select name from folders
    where workspace_id = ${principal.workspaceId} and name_key = ${toNameKey(name)}
      and id is distinct from ${id}`
  if (!taken) return
  throw new ApiError('CONFLICT', `There is already a folder "${taken.name}".`, [
    { path: 'name', message: 'This name is taken.', code: 'taken' },
  ])
}

function toTarget({ id, name }: { id: string; name: string }) {
  return { type: 'folder', id, name }
}
