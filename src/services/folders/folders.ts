import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Fragment, type Tx } from '../../storage/postgres.ts'
import type { AuditAction, Changes } from '../audit.ts'
import type { Dependencies } from '../dependencies.ts'
import { clearGroup } from '../group-clearing.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { matchesName, toNameOrder } from '../name-lists.ts'
import { checkName, toNameKey } from '../names.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit, toIsoTimes } from '../shapes.ts'
import { changeTime, requireMatch } from '../versions.ts'
import {
  NAME_MAX_CHARS,
  SORT_KEYS,
  type CreateFolder,
  type Folder,
  type ListFolders,
  type UpdateFolder,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'keepAnswer'> & {
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

/** Upper bound under every plan. */
const MAX_FOLDERS = 1_000

/** The folders of a workspace. A link is in one folder at most. */
export const createFolders = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'folders', params['id'], 'folder')
}

async function get({ reads }: Deps, who: Who, id: string, signal?: AbortSignal): Promise<Folder> {
  return toIsoTimes(await reads.read(who, signal, (tx) => load(tx, who, id)))
}

async function list({ reads }: Deps, who: Who, query: ListFolders, signal?: AbortSignal) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(query.search)
  const [rows, counted] = await reads.read(who, signal, (tx) => {
    const where = tx`workspace_id = ${who.workspaceId} and ${matchesName(tx, query.search)}`
    const order = toNameOrder(tx, SORT_KEYS, query)
    return Promise.all([
      // The links are counted for the folders of the page only.
      tx<FolderRow[]>`
        select ${columnsOf(tx)} from (
          select * from folders where ${where}
          order by ${order} limit ${slice.limit} offset ${slice.offset}
        ) as folders order by ${order}`,
      countRows(tx, tx`folders where ${where}`, isPart),
    ])
  })
  return page(rows.map(toIsoTimes), pageMeta(counted, isPart, slice))
}

/** @throws ApiError CONFLICT for a name that another folder has; PLAN_LIMIT_REACHED beyond 1,000 */
async function create(deps: Deps, who: Who, input: CreateFolder): Promise<Folder> {
  const { sql, clock } = deps
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  return inWorkspace(sql, who.workspaceId, async (tx) => {
    await lockNames(tx, who)
    await requireRoom(tx, who)
    await requireFree(tx, who, name, null)
    const nowMs = clock()
    const now = new Date(nowMs)
    const { workspaceId } = who
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
    await record(deps, tx, who, 'folder.created', row, { name: { old: null, new: name } })
    return deps.keepAnswer(tx, who, toIsoTimes(row))
  })
}

async function update(deps: Deps, who: Who, id: string, input: UpdateFolder): Promise<Folder> {
  const { sql, clock } = deps
  return inWorkspace(sql, who.workspaceId, async (tx) => {
    await lockNames(tx, who)
    const before = await load(tx, who, id, tx`for update`)
    requireMatch(who, toIsoTimes(before))
    const { name = before.name } = input
    const checked = checkName(name, 'name', NAME_MAX_CHARS)
    if (checked === before.name) return toIsoTimes(before)
    await requireFree(tx, who, checked, id)
    const after = { ...before, name: checked, updatedAt: changeTime(clock(), before) }
    await tx`
      update folders
      set name = ${checked}, name_key = ${toNameKey(checked)}, updated_at = ${after.updatedAt}
      where id = ${id} and workspace_id = ${who.workspaceId}`
    const changes = { name: { old: before.name, new: checked } }
    await record(deps, tx, who, 'folder.updated', after, changes)
    return toIsoTimes(after)
  })
}

async function remove(deps: Deps, who: Who, id: string): Promise<void> {
  await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const [row] = await tx<{ id: string; name: string }[]>`
      delete from folders where id = ${id} and workspace_id = ${who.workspaceId}
      returning id, name`
    if (!row) throw noSuchFolder()
    await clearGroup(deps.jobs, tx, who, { kind: 'folder', id })
    await record(deps, tx, who, 'folder.deleted', row, { name: { old: row.name, new: null } })
  })
}

/** Lets creations and renamings of a workspace come one after the other, so that each sees the names before it. */
async function lockNames(tx: Tx, { workspaceId }: Who): Promise<void> {
  await tx`select from workspaces where id = ${workspaceId} for no key update`
}

async function requireRoom(tx: Tx, { workspaceId }: Who): Promise<void> {
  const total = await countRows(tx, tx`folders where workspace_id = ${workspaceId}`, false)
  if (total >= MAX_FOLDERS)
    throw new ApiError(
      'PLAN_LIMIT_REACHED',
      `A workspace has at most ${MAX_FOLDERS} folders; delete one, or group links by tags.`,
      { limit: 'folders', max: MAX_FOLDERS, used: total },
    )
}

/** @param id of the folder that may keep its name in another case */
async function requireFree(tx: Tx, who: Who, name: string, id: string | null): Promise<void> {
  const [taken] = await tx<{ name: string }[]>`
    select name from folders
    where workspace_id = ${who.workspaceId} and name_key = ${toNameKey(name)}
      and id is distinct from ${id}`
  if (!taken) return
  throw new ApiError('CONFLICT', `There is already a folder "${taken.name}".`, [
    { path: 'name', message: 'This name is taken.', code: 'taken' },
  ])
}

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  { id, name }: { id: string; name: string },
  changes: Changes,
): Promise<void> {
  await audit(tx, who, { action, target: { type: 'folder', id, name }, changes })
}

async function load(tx: Tx, who: Who, id: string, locking?: Fragment): Promise<FolderRow> {
  const [row] = await tx<FolderRow[]>`
    select ${columnsOf(tx)} from folders
    where id = ${id} and workspace_id = ${who.workspaceId} ${locking ?? tx``}`
  if (!row) throw noSuchFolder()
  return row
}

function columnsOf(tx: Tx) {
  return tx`id, workspace_id, name, created_at, updated_at, (
    select count(*) from links l
    where l.workspace_id = folders.workspace_id and l.folder_id = folders.id
  ) as links`
}

function noSuchFolder(): ApiError {
  return new ApiError('NOT_FOUND', 'This folder does not exist.')
}
