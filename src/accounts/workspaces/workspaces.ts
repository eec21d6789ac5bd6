import { bindDeps } from '../../platform/core/functions.ts'
import type { Caller, Session } from '../../platform/routes/caller.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import { scopeCovers, type Role, type Principal } from '../../platform/routes/principal.ts'
import {
  inTransaction,
  inWorkspace,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import {
  requireSession,
  toEntryFields,
  userActing,
  type RequestFacts,
} from '../../platform/audit/acting.ts'
import { setActiveWorkspace } from '../sign-in/sessions.ts'
import { getChanges } from '../../platform/audit/audit.ts'
import { announceCredentials } from '../credentials/cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { lockMembership, requireRole } from '../members/membership.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { clampLimit, toIsoTimes } from '../../platform/resources/shapes.ts'
import { checkTimeZone } from '../../platform/resources/zone.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import type { Language } from '../../platform/facts/languages.ts'
import { WORKSPACE_TEXTS } from '../../platform/text/workspaces.ts'
import {
  NAME_MAX_CHARS,
  type Workspace,
  type CreateWorkspace,
  type DeleteWorkspace,
  type ListWorkspaces,
  type UpdateWorkspace,
} from './schema.ts'

export type WorkspacesDeps = Pick<
  Dependencies,
  | ('sql' | 'systemSql' | 'clock' | 'plans' | 'audit' | 'limit')
  | ('recordSecurity' | 'saveIdempotentResponse')
> & {
  maxOwned: number
  purge: {
    /** Marks the workspace, whose row the caller has locked. */
    begin: (tx: Tx, workspaceId: string) => Promise<void>
    finishSoon: (workspaceId: string) => Promise<void>
  }
}

type InsertDeps = Pick<Dependencies, 'clock' | 'plans' | 'audit' | 'limit'>

export type Workspaces = ReturnType<typeof createWorkspaces>

type WorkspaceRow = {
  id: string
  name: string
  plan: string
  role: Role
  isSuspended: boolean
  honorsPrivacySignals: boolean
  timezone: string
  brandColor: string | null
  logoMediaId: string | null
  createdAt: Date
  updatedAt: Date
}

/** The workspaces of a user. A session reaches all of them, an API key its own workspace only. */
export const createWorkspaces = (deps: WorkspacesDeps) =>
  bindDeps(deps, {
    ...{ find, list, create, activate, get, update },
    remove: removeWorkspace,
    ensureFirst: ensureFirstWorkspace,
  })

async function find({ systemSql }: WorkspacesDeps, principal: Principal, id: string, needed: Role) {
  const row = await loadVisible(systemSql, principal.userId, id)
  const isOfOtherKey = principal.actor.type === 'api_key' && id !== principal.workspaceId
  if (row.role === null || isOfOtherKey) throw notYours()
  if (row.isSuspended)
    throw new ApiError('FORBIDDEN', 'This workspace is suspended. Ask the operator of this server.')
  requireRole(row.role, needed)
}

async function list({ systemSql }: WorkspacesDeps, caller: Caller, query: ListWorkspaces) {
  const { userId, onlyId } = toReach(caller)
  const { offset } = query
  const limit = clampLimit(query.limit)
  const [rows, [count]] = await Promise.all([
    systemSql<WorkspaceRow[]>`
      select ${columnsOf(systemSql)}
      from members m join workspaces w on w.id = m.workspace_id
      where m.user_id = ${userId} and (${onlyId}::text is null or w.id = ${onlyId})
      order by w.created_at, w.id limit ${limit} offset ${offset}`,
    systemSql<{ total: number }[]>`
      select count(*) as total from members
      where user_id = ${userId} and (${onlyId}::text is null or workspace_id = ${onlyId})`,
  ])
  return page(rows.map(toIsoTimes), { total: count!.total, limit, offset })
}

async function create(deps: WorkspacesDeps, caller: Caller, input: CreateWorkspace) {
  const session = requireSession(caller)
  const name = checkName(input.name, 'name', NAME_MAX_CHARS)
  return inTransaction(deps.systemSql, async (tx) => {
    await requireRoom(deps, tx, session.userId)
    const row = await insert(deps, tx, caller, session.userId, name)
    if (session.workspaceId === null || input.activate) await switchTo(tx, session, row.id)
    const principal = userActing(caller, session.userId, row.id, 'owner')
    return deps.saveIdempotentResponse(tx, principal, toIsoTimes(row))
  })
}

async function activate(deps: WorkspacesDeps, caller: Caller, id: string): Promise<Workspace> {
  const session = requireSession(caller)
  return inTransaction(deps.systemSql, async (tx) => {
    const row = await loadVisible(tx, session.userId, id)
    if (row.role === null) throw notYours()
    await switchTo(tx, session, id)
    return toIsoTimes({ ...row, role: row.role })
  })
}

async function get({ sql }: WorkspacesDeps, principal: Principal, id: string): Promise<Workspace> {
  return inWorkspace(sql, id, async (tx) => toIsoTimes(await load(tx, principal, id)))
}

async function update(
  { sql, clock, audit }: WorkspacesDeps,
  caller: Principal,
  id: string,
  input: UpdateWorkspace,
): Promise<Workspace> {
  const principal = { ...caller, workspaceId: id }
  return inWorkspace(sql, id, async (tx) => {
    requireRole(await lockMembership(tx, principal), 'admin')
    const before = await load(tx, principal, id)
    requireMatch(principal, toIsoTimes(before))
    const { honorsPrivacySignals = before.honorsPrivacySignals } = input
    const name =
      input.name === undefined ? before.name : checkName(input.name, 'name', NAME_MAX_CHARS)
    const timezone =
      input.timezone === undefined ? before.timezone : checkTimeZone(input.timezone, 'timezone')
    const { logoMediaId = before.logoMediaId } = input
    if (logoMediaId !== before.logoMediaId) await checkLogo(tx, principal, logoMediaId)
    const brandColor =
      input.brandColor === undefined ? before.brandColor : (input.brandColor?.toLowerCase() ?? null)
    const after = { ...before, name, honorsPrivacySignals, timezone, brandColor, logoMediaId }
    const changes = getChanges(before, after)
    if (Object.keys(changes).length === 0) return toIsoTimes(before)
    await tx`
      update workspaces set name = ${name}, honors_privacy_signals = ${honorsPrivacySignals},
        timezone = ${timezone}, brand_color = ${brandColor}, logo_media_id = ${logoMediaId},
        updated_at = ${changeTime(clock(), before)}
      where id = ${id}`
    await audit(tx, principal, {
      action: 'workspace.updated',
      target: { type: 'workspace', id, name },
      changes,
    })
    return toIsoTimes(await load(tx, principal, id))
  })
}

async function checkLogo(tx: Tx, principal: Principal, id: string | null): Promise<void> {
  if (id === null) return
  const [own] = await tx`
    select from media where id = ${id} and workspace_id = ${principal.workspaceId} for key share`
  if (own) return
  const path = 'logoMediaId'
  if ((await readForeign(tx, ['media'], [id])).has(id)) throw foreignId(path)
  throw invalid(path, `${path} must be the id of an image of this workspace.`, 'unknown')
}

/** For an image that is deleted. The caller has locked the workspace. */
export async function dropLogo(
  { clock, audit }: Pick<WorkspacesDeps, 'clock' | 'audit'>,
  tx: Tx,
  principal: Principal,
): Promise<void> {
  const id = principal.workspaceId
  const before = await load(tx, principal, id)
  await tx`
    update workspaces set logo_media_id = null, updated_at = ${changeTime(clock(), before)}
    where id = ${id}`
  await audit(tx, principal, {
    action: 'workspace.updated',
    target: { type: 'workspace', id, name: before.name },
    changes: getChanges(before, { ...before, logoMediaId: null }),
  })
}

/** Usually ends before the answer (src/operator/purge.ts). Only an entry in the user's security log remains. */
export async function removeWorkspace(
  { systemSql, recordSecurity, purge }: WorkspacesDeps,
  caller: Principal,
  id: string,
  { confirm }: DeleteWorkspace,
): Promise<void> {
  const principal = { ...caller, workspaceId: id }
  await inTransaction(systemSql, async (tx) => {
    requireRole(await lockMembership(tx, principal), 'owner')
    const { name } = await load(tx, principal, id)
    if (confirm === undefined) throw invalid('confirm', 'confirm is required.', 'required')
    if (confirm !== name)
      throw invalid('confirm', 'confirm must be the name of the workspace.', 'mismatch')
    await purge.begin(tx, id)
    await recordSecurity(tx, {
      ...toEntryFields(principal),
      type: 'workspace.deleted',
      userId: principal.userId,
      workspaceId: null,
      details: { workspaceId: id, name },
    })
    await announceCredentials(tx, `workspace:${id}`)
  })
  await purge.finishSoon(id)
}

/** The caller has locked the user, so that parallel sign-ins create one. */
export async function ensureFirstWorkspace(
  deps: InsertDeps,
  tx: Tx,
  user: { userId: string; name: string; language?: Language | undefined } & Partial<RequestFacts>,
): Promise<string> {
  const [own] = await tx<{ workspaceId: string }[]>`
    select workspace_id from members where user_id = ${user.userId}
    order by created_at, workspace_id limit 1`
  if (own) return own.workspaceId
  const request = { requestId: 'first-login', ip: null, userAgent: null, ...user }
  const name = toWorkspaceName(user.name, user.language)
  const { id } = await insert(deps, tx, request, user.userId, name)
  return id
}

/** Locks the user's row, so that parallel creates are counted in turn. */
async function requireRoom({ maxOwned: max }: WorkspacesDeps, tx: Tx, userId: string) {
  const [user] = await tx`select 1 from users where id = ${userId} for no key update`
  if (!user) throw new ApiError('UNAUTHORIZED', 'This account no longer exists.')
  const [owned] = await tx<{ n: number }[]>`
    select count(*) as n from members where user_id = ${userId} and role = 'owner'`
  const used = owned!.n
  if (used >= max)
    throw new ApiError('FORBIDDEN', `You own ${used} workspaces; the maximum is ${max}.`, {
      limit: 'workspaces',
      max,
      used,
    })
}

async function insert(
  { clock, audit, limit, plans }: InsertDeps,
  tx: Tx,
  request: RequestFacts,
  userId: string,
  name: string,
): Promise<WorkspaceRow> {
  const now = new Date(clock())
  const id = newId('wsp', now.getTime())
  await tx`
    insert into workspaces ${tx({ id, name, plan: plans.initial.id, createdAt: now, updatedAt: now })}`
  await tx`
    insert into members (workspace_id, user_id, role, created_at)
    values (${id}, ${userId}, 'owner', ${now})`
  await limit(tx, id, 'members')
  const principal = userActing(request, userId, id, 'owner')
  await audit(tx, principal, {
    action: 'workspace.created',
    target: { type: 'workspace', id, name },
  })
  return load(tx, principal, id)
}

/** The notice makes the session's next request act in the new workspace, in every process. */
async function switchTo(tx: Tx, session: Session, workspaceId: string): Promise<void> {
  await setActiveWorkspace(tx, session.id, workspaceId)
  await announceCredentials(tx, `session:${session.id}`)
}

async function loadVisible(db: SystemSql | Tx, userId: string, id: string) {
  const [row] = await db<(Omit<WorkspaceRow, 'role'> & { role: Role | null })[]>`
    select ${columnsOf(db)} from workspaces w
    left join members m on m.workspace_id = w.id and m.user_id = ${userId}
    where w.id = ${id}`
  if (!row) throw noSuchWorkspace()
  return row
}

async function load(tx: Tx, principal: Principal, id: string): Promise<WorkspaceRow> {
  const [row] = await tx<WorkspaceRow[]>`
    select ${columnsOf(tx)} from workspaces w
    join members m on m.workspace_id = w.id and m.user_id = ${principal.userId}
    where w.id = ${id}`
  if (!row) throw noSuchWorkspace()
  return row
}

function columnsOf(db: SystemSql | Tx) {
  return db`w.id, w.name, w.plan, m.role, w.suspended_at is not null as is_suspended,
    w.honors_privacy_signals, w.timezone, w.brand_color, w.logo_media_id, w.created_at, w.updated_at`
}

function toReach({ principal, session }: Caller): { userId: string; onlyId: string | null } {
  if (principal?.actor.type === 'api_key') {
    if (!scopeCovers(principal.scopes, 'workspaces:read'))
      throw new ApiError('FORBIDDEN', 'This API key lacks the scope workspaces:read.', {
        requiredScope: 'workspaces:read',
      })
    return { userId: principal.userId, onlyId: principal.workspaceId }
  }
  if (!session) throw new ApiError('UNAUTHORIZED', 'A session or an API key is required.')
  return { userId: session.userId, onlyId: null }
}

export function toWorkspaceName(userName: string, language: Language = 'en'): string {
  const { of, own } = WORKSPACE_TEXTS[language]
  const printable = userName.replace(/\p{Cc}/gu, ' ').trim()
  const kept = Array.from(printable)
    .slice(0, NAME_MAX_CHARS - of('').length)
    .join('')
  return kept === '' ? own : of(kept)
}

function notYours(): ApiError {
  return new ApiError('FORBIDDEN', 'You are not a member of this workspace.')
}

function noSuchWorkspace(): ApiError {
  return new ApiError('NOT_FOUND', 'This workspace does not exist.')
}
