import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  type AuditAction,
  type Changes,
  getChanges,
  isDifferent,
} from '../../platform/audit/audit.ts'
import { checkCurrency, checkName } from '../../platform/resources/field-checks.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { refuseForeign, requireOwn } from '../../platform/resources/ownership.ts'
import { checkPassword, createHashLinkPassword, PASSWORD_MASK } from '../../links/write/password.ts'
import { countRows, pageMeta } from '../../platform/resources/lists.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import {
  columnsOf,
  loadDashboard,
  newTokenColumns,
  noSuchDashboard,
  toDashboard,
  type DashboardRow,
} from './row.ts'
import {
  TITLE_MAX_CHARS,
  type CreateDashboard,
  type Dashboard,
  type ListDashboards,
  type UpdateDashboard,
} from './schema.ts'
import { TARGETS, toTargetColumns } from './targets.ts'

type OpenDeps = Pick<
  Dependencies,
  | 'sql'
  | 'reads'
  | 'clock'
  | 'audit'
  | 'secrets'
  | 'origin'
  | 'requireCapability'
  | 'saveIdempotentResponse'
> & {
  /** Drops what this process caches of a dashboard, so that a change takes effect at once. */
  forget: (tokenHash: Uint8Array) => void
}
type Deps = OpenDeps & { hashPassword: ReturnType<typeof createHashLinkPassword> }

export type Dashboards = ReturnType<typeof createDashboards>

const MAX_DASHBOARDS = 1_000
/** The password travels in a header, which keeps neither spaces at its ends nor control characters. */
const NOT_IN_HEADER = /^\s|\s$|\p{Cc}/u
/** Fields that a client does not write. The address has the secret token. */
const DERIVED = ['id', 'url', 'createdAt', 'updatedAt'] as const

/** Shared dashboards, as the members of a workspace manage them. visits.ts answers their visitors. */
export function createDashboards(deps: OpenDeps) {
  const hashPassword = createHashLinkPassword(deps.secrets)
  const operations = { find, get, list, create, update, rotate, remove }
  return bindDeps({ ...deps, hashPassword }, operations)
}

function find({ sql }: Deps, principal: Principal, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, principal, 'dashboards', params['id'], 'dashboard')
}

async function get(deps: Deps, principal: Principal, id: string): Promise<Dashboard> {
  return toDashboard(
    deps,
    await inWorkspace(deps.sql, principal.workspaceId, (tx) => loadDashboard(tx, principal, id)),
  )
}

async function list(deps: Deps, principal: Principal, query: ListDashboards, signal?: AbortSignal) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const filters = TARGETS.filter(({ field }) => query[field] !== undefined)
  const [rows, counted] = await deps.reads.read(principal, signal, async (tx) => {
    for (const { field } of filters) await refuseForeign(tx, principal, field, query[field])
    const where = tx`workspace_id = ${principal.workspaceId}
      ${query.linkId === undefined ? tx`` : tx`and link_id = ${query.linkId}`}
      ${query.campaignId === undefined ? tx`` : tx`and campaign_id = ${query.campaignId}`}
      ${query.folderId === undefined ? tx`` : tx`and folder_id = ${query.folderId}`}`
    return Promise.all([
      tx<DashboardRow[]>`
        select ${columnsOf(tx)} from dashboards where ${where}
        order by created_at desc, id desc limit ${slice.limit} offset ${slice.offset}`,
      countRows(tx, tx`dashboards where ${where}`, filters.length > 0),
    ])
  })
  return page(
    rows.map((row) => toDashboard(deps, row)),
    pageMeta(counted, filters.length > 0, slice),
  )
}

/** @throws ApiError PLAN_CAPABILITY_REQUIRED; PLAN_LIMIT_REACHED beyond 1,000 */
async function create(
  deps: Deps,
  principal: Principal,
  input: CreateDashboard,
): Promise<Dashboard> {
  const { workspaceId } = principal
  const title = checkName(input.title, 'title', TITLE_MAX_CHARS)
  const passwordHash = await hashOf(deps, principal, input.password, (tx) =>
    checkNew(deps, tx, principal, input),
  )
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    await checkNew(deps, tx, principal, input)
    const nowMs = deps.clock()
    const now = new Date(nowMs)
    const id = newId('dsh', nowMs)
    const row: DashboardRow = {
      id,
      workspaceId,
      title,
      linkId: null,
      campaignId: null,
      folderId: null,
      ...(await toTargetColumns(tx, principal, input)),
      days: input.days,
      passwordHash: passwordHash ?? null,
      showConversions: input.showConversions,
      currency: checkCurrency(input.currency, 'currency'),
      doIndex: input.doIndex,
      ...newTokenColumns(deps.secrets, id),
      revokedAt: null,
      createdAt: now,
      updatedAt: now,
    }
    await tx`insert into dashboards ${tx({ ...row, workspaceId })}`
    const dashboard = toDashboard(deps, row)
    const changes = toChanges(null, row, dashboard)
    await record(deps, tx, principal, 'dashboard.created', dashboard, changes)
    return deps.saveIdempotentResponse(tx, principal, dashboard)
  })
}

/** Everything that may refuse a new dashboard: before its password is hashed, and again with its insert. */
async function checkNew(
  deps: Deps,
  tx: Tx,
  principal: Principal,
  input: CreateDashboard,
): Promise<void> {
  const { workspaceId } = principal
  await toTargetColumns(tx, principal, input)
  await deps.requireCapability(tx, workspaceId, 'public_dashboards')
  const total = await countRows(tx, tx`dashboards where workspace_id = ${workspaceId}`, false)
  if (total >= MAX_DASHBOARDS)
    throw new ApiError(
      'PLAN_LIMIT_REACHED',
      `A workspace has at most ${MAX_DASHBOARDS} shared dashboards; delete one first.`,
      { limit: 'dashboards', max: MAX_DASHBOARDS, used: total },
    )
}

async function update(
  deps: Deps,
  principal: Principal,
  id: string,
  input: UpdateDashboard,
): Promise<Dashboard> {
  const { title, days, showConversions, currency, doIndex, revoked } = input
  const fields: Partial<DashboardRow> = {
    ...(title !== undefined && { title: checkName(title, 'title', TITLE_MAX_CHARS) }),
    ...(days !== undefined && { days }),
    ...(showConversions !== undefined && { showConversions }),
    ...(currency !== undefined && { currency: checkCurrency(currency, 'currency') }),
    ...(doIndex !== undefined && { doIndex }),
  }
  const passwordHash = await hashOf(deps, principal, input.password, (tx) =>
    toTargetColumns(tx, principal, input),
  )
  return change(deps, principal, id, 'dashboard.updated', async (tx, before, now) => ({
    ...fields,
    ...(await toTargetColumns(tx, principal, input)),
    ...(passwordHash !== undefined && { passwordHash }),
    ...(revoked !== undefined && { revokedAt: revoked ? (before.revokedAt ?? now) : null }),
  }))
}

/** Gives a dashboard another token. Its former address answers like one that never existed. */
function rotate(deps: Deps, principal: Principal, id: string): Promise<Dashboard> {
  return change(deps, principal, id, 'dashboard.rotated', async () =>
    newTokenColumns(deps.secrets, id),
  )
}

async function remove(deps: Deps, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal
  const gone = await inWorkspace(deps.sql, workspaceId, async (tx) => {
    const [row] = await tx<{ title: string; tokenHash: Uint8Array }[]>`
      delete from dashboards where id = ${id} and workspace_id = ${workspaceId}
      returning title, token_hash`
    if (!row) throw noSuchDashboard()
    const changes = { title: { old: row.title, new: null } }
    await record(deps, tx, principal, 'dashboard.deleted', { id, title: row.title }, changes)
    return row
  })
  deps.forget(gone.tokenHash)
}

/** Changes a dashboard under the lock of its row, with its audit row. */
async function change(
  deps: Deps,
  principal: Principal,
  id: string,
  action: AuditAction,
  toColumns: (tx: Tx, before: DashboardRow, now: Date) => Promise<Partial<DashboardRow>>,
): Promise<Dashboard> {
  const { workspaceId } = principal
  const result = await inWorkspace(deps.sql, workspaceId, async (tx) => {
    const before = await loadDashboard(tx, principal, id, tx`for update`)
    const present = toDashboard(deps, before)
    requireMatch(principal, present)
    const updatedAt = changeTime(deps.clock(), before)
    const columns = await toColumns(tx, before, updatedAt)
    if (!isDifferent(before, columns)) return { dashboard: present, before }
    const after = { ...before, ...columns, updatedAt }
    await tx`
      update dashboards set ${tx({ ...columns, updatedAt } as never)}
      where id = ${id} and workspace_id = ${workspaceId}`
    const changed = toDashboard(deps, after)
    const changes = toChanges({ row: before, present }, after, changed)
    await record(deps, tx, principal, action, changed, changes)
    return { dashboard: await deps.saveIdempotentResponse(tx, principal, changed), before }
  })
  deps.forget(result.before.tokenHash)
  return result.dashboard
}

/** Old and new values for the audit log: a password is masked, and the token left out. */
function toChanges(
  before: { row: DashboardRow; present: Dashboard } | null,
  after: DashboardRow,
  changed: Dashboard,
): Changes {
  const nothing = Object.fromEntries(Object.keys(changed).map((field) => [field, null]))
  const { hasPassword: _, ...changes } = getChanges(
    before?.present ?? (nothing as unknown as Dashboard),
    changed,
    DERIVED,
  )
  const masked = (hash: string | null | undefined) => (hash ? PASSWORD_MASK : null)
  const old = before?.row.passwordHash ?? null
  if (old === after.passwordHash) return changes
  return { ...changes, password: { old: masked(old), new: masked(after.passwordHash) } }
}

/**
 * The hash of a new password; null removes it, undefined changes nothing. It is computed outside of any transaction,
 * after the rest of the request was checked.
 */
async function hashOf(
  deps: Deps,
  principal: Principal,
  password: string | null | undefined,
  check: (tx: Tx) => Promise<unknown>,
): Promise<string | null | undefined> {
  if (password === undefined || password === null) return password
  checkPassword(password)
  if (NOT_IN_HEADER.test(password))
    throw invalid(
      'password',
      'password must not begin or end with a space, and must not contain control characters.',
    )
  await inWorkspace(deps.sql, principal.workspaceId, check)
  return deps.hashPassword(principal, password)
}

async function record(
  { audit }: Deps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  { id, title }: Pick<Dashboard, 'id' | 'title'>,
  changes: Changes,
): Promise<void> {
  await audit(tx, principal, { action, target: { type: 'dashboard', id, name: title }, changes })
}
