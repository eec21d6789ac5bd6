import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import { inTransaction, type Tx, type Sql, type SystemSql } from '../../storage/postgres.ts'
import { systemActing } from '../acting.ts'
import type { Audit, Changes } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import { announceLinksOf } from '../link-changes.ts'
import type { Purge } from '../purge.ts'
import type { RecordSecurity } from '../security.ts'
import { isoOrNull } from '../shapes.ts'

type Deps = {
  /** Sees every workspace. */
  systemSql: SystemSql
  clock: Clock
  audit: Audit
  security: RecordSecurity
  purge: Pick<Purge, 'begin' | 'finish'>
}

/** A workspace as the operator sees it. */
export type ListedWorkspace = {
  id: string
  name: string
  plan: string
  members: number
  /** Counted up to {@link MOST_COUNTED}. */
  links: number
  apiRequestsPerMinute: number | null
  suspendedAt: string | null
  createdAt: string
}

type Row = {
  id: string
  name: string
  suspendedAt: Date | null
  apiRequestsPerMinute: number | null
}

const MAX_LISTED = 100
const MOST_COUNTED = 100_000
const REASON_MAX_CHARS = 500
const MAX_PER_MINUTE = 1_000_000_000

/**
 * What the operator does to workspaces. Each write leaves an audit row whose actor is the system,
 * and is heard by every process within a second. All throw OperatorError, in one sentence.
 */
export function createOperatorWorkspaces(deps: Deps) {
  const { systemSql, clock, audit, security } = deps
  return { list, suspend, resume, setRateLimit, remove }

  /** The newest hundred whose id or name holds the text, or that have a member with that address. */
  async function list({ search }: { search?: string }): Promise<{
    workspaces: ListedWorkspace[]
    total: number
  }> {
    const text = (search ?? '').trim().toLowerCase()
    const isWanted = (tx: Sql) => tx`
      not exists (select from purges where purges.id = w.id) and (
        ${text}::text = '' or position(${text}::text in lower(w.name)) > 0
        or lower(w.id) = ${text}
        or exists (select from members m join users u on u.id = m.user_id
          where m.workspace_id = w.id and u.email_key = ${text}))`
    const [rows, [count]] = await Promise.all([
      systemSql<(Row & { plan: string; members: number; links: number; createdAt: Date })[]>`
        select w.id, w.name, w.plan, w.suspended_at, w.api_requests_per_minute, w.created_at,
          (select count(*) from members m where m.workspace_id = w.id) as members,
          (select count(*) from (
            select from links l where l.workspace_id = w.id limit ${MOST_COUNTED}) as counted) as links
        from workspaces w where ${isWanted(systemSql)}
        order by w.created_at desc, w.id desc limit ${MAX_LISTED}`,
      systemSql<{ total: number }[]>`
        select count(*) as total from workspaces w where ${isWanted(systemSql)}`,
    ])
    return {
      workspaces: rows.map(({ suspendedAt, createdAt, ...row }) => ({
        ...row,
        suspendedAt: isoOrNull(suspendedAt),
        createdAt: createdAt.toISOString(),
      })),
      total: count!.total,
    }
  }

  /** Its credentials are refused, its links answer 410 and its deliveries wait until it is resumed. */
  async function suspend(input: { workspace: string; reason?: string }) {
    const reason = checkReason(input.reason)
    return change(input.workspace, async (tx, before) => {
      if (before.suspendedAt) throw new OperatorError(`${before.id} is suspended already.`)
      const now = new Date(clock())
      await tx`update workspaces set suspended_at = ${now}, updated_at = ${now} where id = ${before.id}`
      await tellOfSuspension(tx, before, 'workspace.suspended', {
        suspendedAt: { old: null, new: now.toISOString() },
        ...(reason !== null && { reason: { old: null, new: reason } }),
      })
      return { workspaceId: before.id, name: before.name, suspendedAt: now.toISOString() }
    })
  }

  async function resume(input: { workspace: string }) {
    return change(input.workspace, async (tx, before) => {
      if (!before.suspendedAt) throw new OperatorError(`${before.id} is not suspended.`)
      const now = new Date(clock())
      await tx`update workspaces set suspended_at = null, updated_at = ${now} where id = ${before.id}`
      await tellOfSuspension(tx, before, 'workspace.resumed', {
        suspendedAt: { old: before.suspendedAt.toISOString(), new: null },
      })
      return { workspaceId: before.id, name: before.name }
    })
  }

  /** `null` gives it the limit of its plan, or of the installation, again. */
  async function setRateLimit(input: { workspace: string; perMinute: number | null }) {
    const { perMinute } = input
    const isRate = Number.isInteger(perMinute) && perMinute! > 0 && perMinute! <= MAX_PER_MINUTE
    if (perMinute !== null && !isRate)
      throw new OperatorError('A rate limit is a number of requests a minute, or "default".')
    return change(input.workspace, async (tx, before) => {
      const old = before.apiRequestsPerMinute
      const answer = { workspaceId: before.id, perMinute, previous: old }
      if (old === perMinute) return answer
      await tx`
        update workspaces set api_requests_per_minute = ${perMinute}, updated_at = ${new Date(clock())}
        where id = ${before.id}`
      await audit(tx, systemActing(before.id, 'operator'), {
        action: 'workspace.rate_limit_set',
        target: { type: 'workspace', id: before.id, name: before.name },
        changes: { apiRequestsPerMinute: { old, new: perMinute } },
      })
      await announceCredentials(tx, `workspace:${before.id}`)
      return answer
    })
  }

  /** Deletes a workspace with everything in it, and returns when it is gone. */
  async function remove(input: { workspace: string }) {
    const { id, name } = await inTransaction(systemSql, async (tx) => {
      const row = await lock(tx, input.workspace, true)
      await deps.purge.begin(tx, row.id)
      await security(tx, {
        ...SYSTEM_ENTRY,
        type: 'workspace.deleted',
        workspaceId: null,
        details: { workspaceId: row.id, name: row.name },
      })
      return row
    })
    await deps.purge.finish(id)
    return { workspaceId: id, name }
  }

  function change<T>(workspace: string, work: (tx: Tx, before: Row) => Promise<T>): Promise<T> {
    return inTransaction(systemSql, async (tx) => work(tx, await lock(tx, workspace)))
  }

  async function tellOfSuspension(
    tx: Tx,
    { id, name }: Row,
    type: 'workspace.suspended' | 'workspace.resumed',
    changes: Changes,
  ): Promise<void> {
    await audit(tx, systemActing(id, 'operator'), {
      action: type,
      target: { type: 'workspace', id, name },
      changes,
    })
    await security(tx, { ...SYSTEM_ENTRY, type, workspaceId: id })
    await announceCredentials(tx, `workspace:${id}`)
    await announceLinksOf(tx, id)
  }

  /** One that is being deleted is there for nobody but whoever deletes it again. */
  async function lock(tx: Tx, id: string, isPurging = false): Promise<Row> {
    const [row] = await tx<(Row & { isGoing: boolean })[]>`
      select w.id, w.name, w.suspended_at, w.api_requests_per_minute,
        exists (select from purges p where p.id = w.id) as is_going
      from workspaces w where w.id = ${id} for no key update of w`
    if (!row || (row.isGoing && !isPurging))
      throw new OperatorError(`There is no workspace ${JSON.stringify(id)}.`)
    return row
  }
}

const SYSTEM_ENTRY = {
  userId: null,
  actor: { type: 'system', id: 'operator' },
  ip: null,
  userAgent: null,
  requestId: 'operator',
} as const

function checkReason(reason: string | undefined): string | null {
  const text = reason?.trim() ?? ''
  if (text.length > REASON_MAX_CHARS || /\p{Cc}/u.test(text))
    throw new OperatorError(`A reason is one line of at most ${REASON_MAX_CHARS} characters.`)
  return text === '' ? null : text
}
