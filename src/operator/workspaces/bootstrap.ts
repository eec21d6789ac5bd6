import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, OperatorError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import { ROLES, type Role, type Principal } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing, toEntryFields } from '../../platform/audit/acting.ts'
import type { ApiKeys } from '../../accounts/api-keys/api-keys.ts'
import { isKeyShaped } from '../../accounts/api-keys/key.ts'
import { checkNewPassword } from '../../accounts/passwords/password-rule.ts'
import type { SignIn } from '../../accounts/sign-in/open.ts'
import { revokeSignIns } from '../../accounts/sign-in/sessions.ts'
import { insertUser } from '../../accounts/sign-in/users.ts'
import { issueToken } from '../../accounts/sign-in/tokens.ts'
import { toWorkspaceName } from '../../accounts/workspaces/workspaces.ts'
import { announceCredentials } from '../../accounts/credentials/cache.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { parseAddress, type Address } from '../../platform/resources/field-checks.ts'
import { DAY_MS } from '../../platform/core/clock.ts'
import { markOperator } from '../users/operators.ts'

type Deps = Pick<
  Dependencies,
  'systemSql' | 'clock' | 'audit' | 'limit' | 'plans' | 'origin' | 'recordSecurity'
> & {
  apiKeys: Pick<ApiKeys, 'replace'>
  signIn: Pick<SignIn, 'passwords' | 'revokeAllAccess'>
}

type BootstrapInput = {
  email: string
  /** Replaces the password of an existing account. */
  password?: string | undefined
  /** The name of one of the user's workspaces, created if missing; or the id of any existing one. */
  workspace?: string | undefined
  role?: string | undefined
  operator?: boolean | undefined
}

/** Settings that each start applies; what exists stays. */
type StartInput = { email: string; password: string | null; apiKey: string | null }

type BootstrapResult = {
  userId: string
  workspaceId: string
  apiKey: string
  setPasswordUrl?: string
}

export type Bootstrap = ReturnType<typeof createBootstrap>

type User = { id: string; email: string; emailKey: string; hasPassword: boolean }

const KEY_NAME = 'bootstrap'
const NAME_MAX_CHARS = 100

/** Lock order: the user, the workspace, the counters of its limits; audit rows come last. */
export const createBootstrap = (deps: Deps) => bindDeps(deps, { create, atStart })

async function create(deps: Deps, input: BootstrapInput): Promise<BootstrapResult> {
  const address = checkEmail(input.email)
  const role = input.role === undefined ? undefined : checkRole(input.role)
  const passwordHash = await hashPassword(deps, input.password ?? null, '--password', address)
  return perform(deps, async (tx) => {
    const user = await findOrCreateUser(deps, tx, address)
    if (input.operator) await markOperator(deps, tx, user.id, true)
    const workspaceId = await findOrCreateWorkspace(deps, tx, user, input.workspace, role)
    const principal = toPrincipal(user, workspaceId)
    const apiKey = await deps.apiKeys.replace(tx, principal, KEY_NAME)
    const result = { userId: user.id, workspaceId, apiKey }
    if (passwordHash === null)
      return { ...result, setPasswordUrl: await createPasswordUrl(deps, tx, user.id) }
    await setPassword(deps, tx, user, passwordHash)
    return result
  })
}

async function atStart(deps: Deps, { email, password, apiKey }: StartInput) {
  const address = checkEmail(email)
  if (apiKey !== null && !isKeyShaped(apiKey))
    throw new OperatorError(
      'BOOTSTRAP_API_KEY must be a Signpost API key as bootstrap prints it: sp_, 34 letters and digits, and their checksum.',
    )
  const passwordHash = await hashPassword(deps, password, 'BOOTSTRAP_PASSWORD', address)
  return perform(deps, async (tx) => {
    const user = await findOrCreateUser(deps, tx, address)
    const workspaceId = await findOrCreateWorkspace(deps, tx, user, undefined, undefined)
    if (apiKey !== null) await keepKey(deps, tx, toPrincipal(user, workspaceId), apiKey)
    if (passwordHash !== null && !user.hasPassword) await setPassword(deps, tx, user, passwordHash)
    return { userId: user.id, workspaceId }
  })
}

async function hashPassword(
  { signIn }: Deps,
  password: string | null,
  path: string,
  { emailKey }: Address,
): Promise<string | null> {
  if (password === null) return null
  await checkNewPassword(password, path, emailKey).catch(rethrowForOperator)
  return signIn.passwords.hash(password)
}

function perform<T>({ systemSql }: Deps, work: (tx: Tx) => Promise<T>): Promise<T> {
  return inTransaction(systemSql, work).catch(rethrowForOperator)
}

/** A stranger may have opened an unverified account of this address, so its access is revoked. */
async function findOrCreateUser(deps: Deps, tx: Tx, { email, emailKey }: Address): Promise<User> {
  const now = new Date(deps.clock())
  const name = email.split('@')[0]!
  const values = { name, email, emailKey, passwordHash: null, emailVerifiedAt: now }
  await insertUser(tx, now.getTime(), values)
  const [user] = await tx<(User & { isVerified: boolean })[]>`
    select id, email, email_key, password_hash is not null as has_password,
      email_verified_at is not null as is_verified
    from users where email_key = ${emailKey} for no key update`
  if (!user) throw new OperatorError('This account is being deleted. Try again.')
  if (user.isVerified) return user
  await deps.signIn.revokeAllAccess(tx, user)
  await tx`
    update users set email_verified_at = ${now}, password_hash = null, updated_at = ${now}
    where id = ${user.id}`
  return { ...user, hasPassword: false }
}

async function findOrCreateWorkspace(
  deps: Deps,
  tx: Tx,
  user: User,
  wanted: string | undefined,
  role: Role | undefined,
): Promise<string> {
  if (wanted?.startsWith('wsp_')) return join(deps, tx, user, wanted, role, null)
  const [existing] = await tx<{ id: string }[]>`
    select w.id from workspaces w join members m on m.workspace_id = w.id
    where m.user_id = ${user.id} ${wanted === undefined ? tx`` : tx`and w.name = ${wanted}`}
    order by m.role = 'owner' desc, w.created_at limit 1`
  if (existing) return join(deps, tx, user, existing.id, role, null)

  const now = new Date(deps.clock())
  const id = newId('wsp', now.getTime())
  const name = wanted ?? toWorkspaceName(user.email.split('@')[0]!)
  if (name.trim() === '' || name.length > NAME_MAX_CHARS || /\p{Cc}/u.test(name))
    throw new OperatorError(
      `A workspace name has 1 to ${NAME_MAX_CHARS} characters, without control characters.`,
    )
  const plan = deps.plans.initial.id
  await tx`insert into workspaces ${tx({ id, name, plan, createdAt: now, updatedAt: now })}`
  return join(deps, tx, user, id, role, name)
}

/** Without a wanted role, a membership stays as it is, and a new member is an owner. */
async function join(
  deps: Deps,
  tx: Tx,
  user: User,
  id: string,
  wanted: Role | undefined,
  newName: string | null,
): Promise<string> {
  const { audit, limit } = deps
  const [workspace] = await tx`select 1 from workspaces where id = ${id} for no key update`
  if (!workspace) throw new OperatorError(`There is no workspace ${id}.`)
  const [member] = await tx<{ role: Role }[]>`
    select role from members where workspace_id = ${id} and user_id = ${user.id} for update`
  const role = wanted ?? member?.role ?? 'owner'
  if (!member) await limit(tx, id, 'members')
  // Locks the counter of API keys before the audit rows; the new key counts against it later.
  await limit(tx, id, 'api_keys', 0)
  if (member?.role === role) return id
  if (member?.role === 'owner') await requireOtherOwner(tx, id, user.id)
  await tx`
    insert into members (workspace_id, user_id, role, created_at)
    values (${id}, ${user.id}, ${role}, ${new Date(deps.clock())})
    on conflict (workspace_id, user_id) do update set role = excluded.role`
  const principal = toPrincipal(user, id)
  if (newName !== null)
    await audit(tx, principal, {
      action: 'workspace.created',
      target: { type: 'workspace', id, name: newName },
    })
  await audit(tx, principal, {
    action: 'member.role_set',
    target: { type: 'member', id: user.id, name: null },
    changes: { role: { old: member?.role ?? null, new: role } },
  })
  const type = member ? 'member.role_changed' : 'member.joined'
  const entry = { ...toEntryFields(principal), type, userId: user.id } as const
  await deps.recordSecurity(tx, { ...entry, details: { role } })
  await announceCredentials(tx, `user:${user.id}`)
  return id
}

async function requireOtherOwner(tx: Tx, id: string, userId: string): Promise<void> {
  const [other] = await tx`
    select 1 from members
    where workspace_id = ${id} and role = 'owner' and user_id <> ${userId} limit 1`
  if (!other)
    throw new OperatorError(
      `This account is the last owner of workspace ${id}, so its role cannot change.`,
    )
}

async function keepKey(deps: Deps, tx: Tx, principal: Principal, key: string): Promise<void> {
  const [holder] = await tx<{ isOwn: boolean }[]>`
    select workspace_id = ${principal.workspaceId} and user_id = ${principal.userId} and name = ${KEY_NAME} as is_own
    from api_keys where key_hash = ${hashToken(key)}`
  if (holder?.isOwn) return
  if (holder)
    throw new OperatorError(
      'BOOTSTRAP_API_KEY belongs to another account; set a key of the account of BOOTSTRAP_EMAIL, or none.',
    )
  await deps.apiKeys.replace(tx, principal, KEY_NAME, key)
}

async function createPasswordUrl(deps: Deps, tx: Tx, userId: string): Promise<string> {
  const token = await issueToken(deps, tx, { id: userId }, 'reset_password', DAY_MS)
  return `${deps.origin()}/v1/auth/reset-password?token=${encodeURIComponent(token)}`
}

async function setPassword(deps: Deps, tx: Tx, user: User, passwordHash: string): Promise<void> {
  await tx`
    update users set password_hash = ${passwordHash}, updated_at = ${new Date(deps.clock())}
    where id = ${user.id}`
  await revokeSignIns(tx, user)
  const entry = { ...toEntryFields(toPrincipal(user, '')), workspaceId: null, userId: user.id }
  await deps.recordSecurity(tx, { ...entry, type: 'password.changed' })
}

/** At each start: creates a missing account, sets a missing password, and replaces the key named `bootstrap`. */
export async function bootstrapFromConfig(
  config: Pick<Config, 'bootstrapEmail' | 'bootstrapPassword' | 'bootstrapApiKey'>,
  bootstrap: Pick<Bootstrap, 'atStart'>,
): Promise<void> {
  const { bootstrapEmail: email, bootstrapPassword: password, bootstrapApiKey: apiKey } = config
  if (email !== null) {
    await bootstrap.atStart({ email, password, apiKey })
    return
  }
  const names = [password && 'BOOTSTRAP_PASSWORD', apiKey && 'BOOTSTRAP_API_KEY'].filter(Boolean)
  if (names.length > 0)
    throw new OperatorError(`${names.join(' and ')} can only be set together with BOOTSTRAP_EMAIL.`)
}

function toPrincipal({ id }: User, workspaceId: string): Principal {
  return systemActing(workspaceId, 'bootstrap', { userId: id })
}

function checkEmail(email: string): Address {
  const address = parseAddress(email.trim())
  if (!address) throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address.`)
  return address
}

function rethrowForOperator(error: unknown): never {
  throw error instanceof ApiError ? new OperatorError(error.message) : error
}

function checkRole(role: string): Role {
  if (!ROLES.includes(role as Role))
    throw new OperatorError(
      `${JSON.stringify(role)} is not a role. Use one of ${ROLES.join(', ')}.`,
    )
  return role as Role
}
