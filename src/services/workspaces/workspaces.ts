import type { Caller, Session } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import { scopeCovers, type Role, type Who } from '../../base/who.ts'
import {
  inTransaction,
  inWorkspace,
  type Tx,
  type SystemSql,
  type TenantSql,
} from '../../storage/postgres.ts'
import type { Audit } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import type { Limit } from '../limits.ts'
import { lockMembership, requireRole } from '../membership.ts'
import { checkName } from '../names.ts'
import type { Purge } from '../purge.ts'
import type { RecordSecurity } from '../security.ts'
import { clampLimit } from '../shapes.ts'
import {
  NAME_MAX_CHARS,
  type CreateWorkspace,
  type DeleteWorkspace,
  type ListWorkspaces,
  type UpdateWorkspace,
  type Workspace,
} from './schema.ts'

type Deps = {
  sql: TenantSql
  /** Sees every workspace, for a person who may belong to several or none. */
  systemSql: SystemSql
  clock: Clock
  audit: Audit
  limit: Limit
  security: RecordSecurity
  /** The id of the plan that a new workspace gets. */
  initialPlan: string
  /** MAX_WORKSPACES_PER_USER. */
  maxOwned: number
  /** Makes a workspace the active one of a session. */
  setActiveWorkspace: (tx: Tx, sessionId: string, workspaceId: string) => Promise<void>
  /** Without it a workspace goes in one statement, and leaves its clicks behind. */
  purge?: Pick<Purge, 'begin' | 'finishSoon'>
}

export type Workspaces = ReturnType<typeof createWorkspaces>

const FIRST_NAME_SUFFIX = "'s workspace"

type WorkspaceRow = {
  id: string
  name: string
  plan: string
  role: Role
  isSuspended: boolean
  createdAt: Date
  updatedAt: Date
}

/** The workspaces of a person. A session reaches all of its person's, an API key its own one. */
export function createWorkspaces(deps: Deps) {
  const { sql, systemSql, clock, audit, limit, security } = deps
  const { initialPlan, maxOwned, setActiveWorkspace, purge } = deps
  return { find, list, create, activate, get, update, remove, ensureFirst }

  /**
   * @throws ApiError NOT_FOUND; FORBIDDEN for a workspace that is not the caller's, is suspended,
   *   or gives the caller less than the role `needed`
   */
  async function find(who: Who, id: string, needed: Role): Promise<void> {
    const [row] = await systemSql<{ role: Role | null; isSuspended: boolean }[]>`
      select m.role, w.suspended_at is not null as is_suspended from workspaces w
      left join members m on m.workspace_id = w.id and m.user_id = ${who.userId}
      where w.id = ${id}`
    if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    const isOfOtherKey = who.actor.type === 'api_key' && id !== who.workspaceId
    if (row.role === null || isOfOtherKey)
      throw new ApiError('FORBIDDEN', 'This workspace is not yours.')
    if (row.isSuspended) throw new ApiError('FORBIDDEN', 'This workspace is suspended.')
    requireRole(row.role, needed)
  }

  async function list(caller: Caller, query: ListWorkspaces) {
    const { userId, onlyId } = reachOf(caller)
    const limitRows = clampLimit(query.limit)
    const [rows, [count]] = await Promise.all([
      systemSql<WorkspaceRow[]>`
        select w.id, w.name, w.plan, m.role, w.suspended_at is not null as is_suspended, w.created_at, w.updated_at
        from members m join workspaces w on w.id = m.workspace_id
        where m.user_id = ${userId} and (${onlyId}::text is null or w.id = ${onlyId})
        order by w.created_at, w.id limit ${limitRows} offset ${query.offset}`,
      systemSql<{ total: number }[]>`
        select count(*) as total from members
        where user_id = ${userId} and (${onlyId}::text is null or workspace_id = ${onlyId})`,
    ])
    return page(rows.map(show), { total: count!.total, limit: limitRows, offset: query.offset })
  }

  /**
   * Makes a workspace with the caller as its owner. It is activated when the caller asks for that,
   * or has no active one.
   * @throws ApiError FORBIDDEN with `details: {limit, max, used}` for who owns as many as one may
   */
  async function create(caller: Caller, input: CreateWorkspace): Promise<Workspace> {
    const session = sessionOf(caller)
    const name = checkName(input.name, 'name', NAME_MAX_CHARS)
    return inTransaction(systemSql, async (tx) => {
      await requireRoom(tx, session.userId)
      const row = await insert(tx, { ...caller, userId: session.userId }, name)
      if (session.workspaceId === null || input.activate) await switchTo(tx, session, row.id)
      return show(row)
    })
  }

  /** With the lock of the person, so that those who create in parallel are counted one by one. */
  async function requireRoom(tx: Tx, userId: string): Promise<void> {
    const [person] = await tx`select 1 from users where id = ${userId} for no key update`
    if (!person) throw new ApiError('UNAUTHORIZED', 'This account is gone.')
    const [owned] = await tx<{ n: number }[]>`
      select count(*) as n from members where user_id = ${userId} and role = 'owner'`
    if (owned!.n >= maxOwned)
      throw new ApiError(
        'FORBIDDEN',
        `You own ${owned!.n} workspaces, and one person may own ${maxOwned} here.`,
        { limit: 'workspaces', max: maxOwned, used: owned!.n },
      )
  }

  /** Makes one of the caller's workspaces the active one of the session. */
  async function activate(caller: Caller, id: string): Promise<Workspace> {
    const session = sessionOf(caller)
    return inTransaction(systemSql, async (tx) => {
      const [row] = await tx<(WorkspaceRow & { role: Role | null })[]>`
        select w.id, w.name, w.plan, m.role, w.suspended_at is not null as is_suspended, w.created_at, w.updated_at from workspaces w
        left join members m on m.workspace_id = w.id and m.user_id = ${session.userId}
        where w.id = ${id}`
      if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
      if (row.role === null) throw new ApiError('FORBIDDEN', 'This workspace is not yours.')
      await switchTo(tx, session, id)
      return show(row)
    })
  }

  async function get(who: Who, id: string): Promise<Workspace> {
    return inWorkspace(sql, id, async (tx) => show(await load(tx, who, id)))
  }

  async function update(who: Who, id: string, input: UpdateWorkspace): Promise<Workspace> {
    const there = { ...who, workspaceId: id }
    return inWorkspace(sql, id, async (tx) => {
      requireRole(await lockMembership(tx, there), 'admin')
      const before = await load(tx, who, id)
      const name =
        input.name === undefined ? before.name : checkName(input.name, 'name', NAME_MAX_CHARS)
      if (name === before.name) return show(before)
      await tx`update workspaces set name = ${name}, updated_at = ${new Date(clock())} where id = ${id}`
      await audit(tx, there, {
        action: 'workspace.updated',
        target: { type: 'workspace', id, name },
        changes: { name: { old: before.name, new: name } },
      })
      return show(await load(tx, who, id))
    })
  }

  /**
   * Deletes the workspace with everything in it (src/services/purge.ts): within the answer for all but
   * large ones. Its own logs go with it; what is left is a row in the security log of the person who
   * did it.
   */
  async function remove(who: Who, id: string, { confirm }: DeleteWorkspace): Promise<void> {
    const there = { ...who, workspaceId: id }
    await inTransaction(systemSql, async (tx) => {
      requireRole(await lockMembership(tx, there), 'owner')
      const { name } = await load(tx, who, id)
      if (confirm === undefined) throw invalid('confirm', 'confirm is required.', 'required')
      if (confirm !== name)
        throw invalid('confirm', 'confirm must be the name of the workspace.', 'mismatch')
      if (purge) await purge.begin(tx, id)
      else await tx`delete from workspaces where id = ${id}`
      await security(tx, {
        type: 'workspace.deleted',
        userId: who.userId,
        workspaceId: null,
        actor: who.actor,
        ip: who.ip,
        userAgent: who.userAgent,
        requestId: who.requestId,
        details: { workspaceId: id, name },
      })
      await announceCredentials(tx, `workspace:${id}`)
    })
    await purge?.finishSoon(id)
  }

  /**
   * The workspace of a first login: `<name>'s workspace`, or the oldest one when the person belongs
   * to any. The caller holds the lock of the person's row, so that parallel first logins make one.
   */
  async function ensureFirst(
    tx: Tx,
    person: { userId: string; name: string } & Partial<RequestFacts>,
  ): Promise<string> {
    const [own] = await tx<{ workspaceId: string }[]>`
      select workspace_id from members where user_id = ${person.userId}
      order by created_at, workspace_id limit 1`
    if (own) return own.workspaceId
    const facts = { requestId: 'first-login', ip: null, userAgent: null, ...person }
    const { id } = await insert(tx, facts, firstName(person.name))
    return id
  }

  async function insert(
    tx: Tx,
    owner: RequestFacts & { userId: string },
    name: string,
  ): Promise<WorkspaceRow> {
    const now = new Date(clock())
    const id = newId('wsp', now.getTime())
    await tx`
      insert into workspaces ${tx({ id, name, plan: initialPlan, createdAt: now, updatedAt: now })}`
    await tx`
      insert into members (workspace_id, user_id, role, created_at)
      values (${id}, ${owner.userId}, 'owner', ${now})`
    await limit(tx, id, 'members')
    const who = ownerOf(owner, id)
    await audit(tx, who, { action: 'workspace.created', target: { type: 'workspace', id, name } })
    return load(tx, who, id)
  }

  /** Every process hears of it, so that the next request of the session is in the new workspace. */
  async function switchTo(tx: Tx, session: Session, workspaceId: string): Promise<void> {
    await setActiveWorkspace(tx, session.id, workspaceId)
    await announceCredentials(tx, `session:${session.id}`)
  }

  async function load(tx: Tx, who: { userId: string }, id: string): Promise<WorkspaceRow> {
    const [row] = await tx<WorkspaceRow[]>`
      select w.id, w.name, w.plan, m.role, w.suspended_at is not null as is_suspended, w.created_at, w.updated_at from workspaces w
      join members m on m.workspace_id = w.id and m.user_id = ${who.userId}
      where w.id = ${id}`
    if (!row) throw new ApiError('NOT_FOUND', 'There is no such workspace.')
    return row
  }
}

type RequestFacts = { requestId: string; ip: string | null; userAgent: string | null }

/** Whose memberships count, and for an API key the one workspace that it is for. */
function reachOf({ who, session }: Caller): { userId: string; onlyId: string | null } {
  if (who?.actor.type === 'api_key') {
    if (!scopeCovers(who.scopes, 'workspaces:read'))
      throw new ApiError('FORBIDDEN', 'This API key lacks the scope workspaces:read.', {
        requiredScope: 'workspaces:read',
      })
    return { userId: who.userId, onlyId: who.workspaceId }
  }
  if (!session) throw new ApiError('UNAUTHORIZED', 'A session or an API key is required.')
  return { userId: session.userId, onlyId: null }
}

function sessionOf({ session }: Caller): Session {
  if (!session) throw new ApiError('UNAUTHORIZED', 'A session is required.')
  return session
}

function ownerOf(
  { userId, ...facts }: RequestFacts & { userId: string },
  workspaceId: string,
): Who {
  return {
    userId,
    workspaceId,
    role: 'owner',
    actor: { type: 'user', id: userId },
    scopes: null,
    requestId: facts.requestId,
    ip: facts.ip,
    userAgent: facts.userAgent,
  }
}

/** A long name is cut, by whole characters; one without any letter is nobody's in particular. */
function firstName(name: string): string {
  const printable = name.replace(/\p{Cc}/gu, ' ').trim()
  const kept = Array.from(printable)
    .slice(0, NAME_MAX_CHARS - FIRST_NAME_SUFFIX.length)
    .join('')
  return kept === '' ? 'My workspace' : `${kept}${FIRST_NAME_SUFFIX}`
}

function show(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    name: row.name,
    plan: row.plan,
    role: row.role,
    isSuspended: row.isSuspended,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
