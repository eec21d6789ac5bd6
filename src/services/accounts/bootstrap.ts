import type { Clock } from '../../base/clock.ts'
import { ApiError, OperatorError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { ROLES, type Role, type Who } from '../../base/who.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import { systemActing } from '../acting.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit.ts'
import { announceCredentials } from '../credential-changes.ts'
import { parseAddress, type Address } from '../email-address.ts'
import type { Limit } from '../limits.ts'
import type { RecordSecurity, SecurityType } from '../security.ts'

export type BootstrapDeps = {
  /** Of the worker role: the account may be in any workspace, or in none. */
  sql: SystemSql
  clock: Clock
  audit: Audit
  limit: Limit
  security: RecordSecurity
  apiKeys: Pick<ApiKeys, 'replace'>
  /** The shape of an API key, and what is stored of one. */
  keyShape: { isKeyShaped(key: string): boolean; hashKey(key: string): Buffer }
  /** The plan that a new workspace gets. */
  initialPlan: string
  passwords: {
    /** The rule of a sign-up. Throws ApiError. */
    check(password: string, path: string, emailKey: string): void
    hash(password: string): Promise<string>
    /** Ends what another password ends. */
    voidEverything(tx: Tx, person: { id: string; emailKey: string }): Promise<void>
  }
  /** Ends every way in that was set up for an address before it was verified. */
  closeOtherWays: (tx: Tx, userId: string) => Promise<void>
  /** A one-time link under which the account gets a password, good for a day. */
  setPasswordUrl: (tx: Tx, userId: string) => Promise<string>
}

export type BootstrapInput = {
  email: string
  /** Set also for an account that has another one. */
  password?: string | undefined
  /** Name of a workspace of this person, made when there is none; or the id of any existing one. */
  workspace?: string | undefined
  role?: string | undefined
}

/** What the settings ask for at each start: what is there already is left as it is. */
export type StartInput = { email: string; password: string | null; apiKey: string | null }

export type BootstrapResult = {
  userId: string
  workspaceId: string
  apiKey: string
  /** Unless a password was given. */
  setPasswordUrl?: string
}

export type Bootstrap = {
  (input: BootstrapInput): Promise<BootstrapResult>
  atStart(input: StartInput): Promise<{ userId: string; workspaceId: string }>
}

type Person = { id: string; email: string; emailKey: string; hasPassword: boolean }

const KEY_NAME = 'bootstrap'
const NAME_MAX_CHARS = 100
const NAME_SUFFIX = "'s workspace"

/**
 * The first account without a browser: makes (or finds) a verified person with a workspace, and a
 * fresh API key named `bootstrap` that replaces the earlier one. Running it twice leaves one account.
 *
 * Locks: the person, the workspace, the counters of its limits; audit rows come after all of them.
 * @throws OperatorError in one sentence for bad input, a weak password or a plan that is full
 */
export function createBootstrap(deps: BootstrapDeps): Bootstrap {
  const { sql, clock, audit, limit, apiKeys } = deps

  async function bootstrap(input: BootstrapInput): Promise<BootstrapResult> {
    const address = checkEmail(input.email)
    const role = input.role === undefined ? undefined : checkRole(input.role)
    const passwordHash = await hashOf(input.password ?? null, '--password', address)
    return perform(async (tx) => {
      const person = await findOrMakePerson(tx, address)
      const workspaceId = await findOrMakeWorkspace(tx, person, input.workspace, role)
      const apiKey = await replaceKey(tx, acting(person, workspaceId))
      const made = { userId: person.id, workspaceId, apiKey }
      if (passwordHash === null)
        return { ...made, setPasswordUrl: await deps.setPasswordUrl(tx, person.id) }
      await setPassword(tx, person, passwordHash)
      return made
    })
  }

  async function atStart(input: StartInput): Promise<{ userId: string; workspaceId: string }> {
    const address = checkEmail(input.email)
    const { apiKey } = input
    if (apiKey !== null && !deps.keyShape.isKeyShaped(apiKey))
      throw new OperatorError(
        'BOOTSTRAP_API_KEY must be an API key of Signpost: sp_, 34 letters and digits and their checksum, as bootstrap prints them.',
      )
    const passwordHash = await hashOf(input.password, 'BOOTSTRAP_PASSWORD', address)
    return perform(async (tx) => {
      const person = await findOrMakePerson(tx, address)
      const workspaceId = await findOrMakeWorkspace(tx, person, undefined, undefined)
      if (apiKey !== null) await keepKey(tx, acting(person, workspaceId), apiKey)
      if (passwordHash !== null && !person.hasPassword) await setPassword(tx, person, passwordHash)
      return { userId: person.id, workspaceId }
    })
  }

  async function hashOf(
    password: string | null,
    path: string,
    { emailKey }: Address,
  ): Promise<string | null> {
    if (password === null) return null
    try {
      deps.passwords.check(password, path, emailKey)
    } catch (error) {
      throw inSentence(error)
    }
    return deps.passwords.hash(password)
  }

  function perform<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return inTransaction(sql, work).catch((error: unknown) => {
      throw inSentence(error)
    })
  }

  /** Whoever opened an account with an address that was never verified may be somebody else. */
  async function findOrMakePerson(tx: Tx, { email, emailKey }: Address): Promise<Person> {
    const now = new Date(clock())
    await tx`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        name: email.split('@')[0]!,
        email,
        emailKey,
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })} on conflict (email_key) do nothing`
    const [user] = await tx<(Person & { isVerified: boolean })[]>`
      select id, email, email_key, password_hash is not null as has_password,
        email_verified_at is not null as is_verified
      from users where email_key = ${emailKey} for no key update`
    if (!user) throw new OperatorError('This account is being deleted; try again.')
    if (user.isVerified) return user
    await deps.closeOtherWays(tx, user.id)
    await tx`
      update users set email_verified_at = ${now}, password_hash = null, updated_at = ${now}
      where id = ${user.id}`
    return { ...user, hasPassword: false }
  }

  async function findOrMakeWorkspace(
    tx: Tx,
    person: Person,
    wanted: string | undefined,
    role: Role | undefined,
  ): Promise<string> {
    if (wanted?.startsWith('wsp_')) return join(tx, person, wanted, role, null)
    const [own] = await tx<{ id: string }[]>`
      select w.id from workspaces w join members m on m.workspace_id = w.id
      where m.user_id = ${person.id} ${wanted === undefined ? tx`` : tx`and w.name = ${wanted}`}
      order by m.role = 'owner' desc, w.created_at limit 1`
    if (own) return join(tx, person, own.id, role, null)

    const now = new Date(clock())
    const id = newId('wsp', now.getTime())
    const name = wanted ?? firstName(person.email)
    if (name.trim() === '' || name.length > NAME_MAX_CHARS || /\p{Cc}/u.test(name))
      throw new OperatorError(`A workspace name has 1 to ${NAME_MAX_CHARS} characters.`)
    await tx`
      insert into workspaces ${tx({ id, name, plan: deps.initialPlan, createdAt: now, updatedAt: now })}`
    return join(tx, person, id, role, name)
  }

  /**
   * Without a role an existing membership stays as it is, and a new one is an owner's.
   * @param madeAs the name of the workspace when it was just made
   */
  async function join(
    tx: Tx,
    person: Person,
    id: string,
    wanted: Role | undefined,
    madeAs: string | null,
  ): Promise<string> {
    const [workspace] = await tx`select 1 from workspaces where id = ${id} for no key update`
    if (!workspace) throw new OperatorError(`There is no workspace ${id}.`)
    const [member] = await tx<{ role: Role }[]>`
      select role from members where workspace_id = ${id} and user_id = ${person.id} for update`
    const role = wanted ?? member?.role ?? 'owner'
    if (!member) await limit(tx, id, 'members')
    // The lock of the keys' counter, which the new key asks for after the audit rows below.
    await limit(tx, id, 'api_keys', 0)
    if (member?.role === role) return id
    if (member?.role === 'owner') await requireOtherOwner(tx, id, person.id)
    await tx`
      insert into members (workspace_id, user_id, role, created_at)
      values (${id}, ${person.id}, ${role}, ${new Date(clock())})
      on conflict (workspace_id, user_id) do update set role = excluded.role`
    const who = acting(person, id)
    if (madeAs !== null)
      await audit(tx, who, {
        action: 'workspace.created',
        target: { type: 'workspace', id, name: madeAs },
      })
    await audit(tx, who, {
      action: 'member.role_set',
      target: { type: 'member', id: person.id, name: null },
      changes: { role: { old: member?.role ?? null, new: role } },
    })
    await note(tx, who, member ? 'member.role_changed' : 'member.joined', { role })
    await announceCredentials(tx, `user:${person.id}`)
    return id
  }

  async function requireOtherOwner(tx: Tx, id: string, userId: string): Promise<void> {
    const [other] = await tx`
      select 1 from members
      where workspace_id = ${id} and role = 'owner' and user_id <> ${userId} limit 1`
    if (!other) throw new OperatorError(`This account is the last owner of ${id}, and stays it.`)
  }

  /** The chosen key, unless it is there already; a restart changes nothing. */
  async function keepKey(tx: Tx, who: Who, key: string): Promise<void> {
    const [holder] = await tx<{ isOwn: boolean }[]>`
      select workspace_id = ${who.workspaceId} and user_id = ${who.userId} and name = ${KEY_NAME} as is_own
      from api_keys where key_hash = ${deps.keyShape.hashKey(key)}`
    if (holder?.isOwn) return
    if (holder) throw new OperatorError('BOOTSTRAP_API_KEY is a key of another account already.')
    await replaceKey(tx, who, key)
  }

  async function replaceKey(tx: Tx, who: Who, wanted?: string): Promise<string> {
    const before = await keysOf(tx, who)
    const key = await apiKeys.replace(tx, who, KEY_NAME, wanted)
    for (const each of before) await note(tx, who, 'api_key.revoked', each)
    for (const each of await keysOf(tx, who)) await note(tx, who, 'api_key.created', each)
    return key
  }

  async function keysOf(tx: Tx, { workspaceId, userId }: Who) {
    return tx<{ keyId: string; name: string; prefix: string }[]>`
      select id as key_id, name, prefix from api_keys
      where workspace_id = ${workspaceId} and user_id = ${userId} and name = ${KEY_NAME}`
  }

  async function setPassword(tx: Tx, person: Person, passwordHash: string): Promise<void> {
    await tx`
      update users set password_hash = ${passwordHash}, updated_at = ${new Date(clock())}
      where id = ${person.id}`
    await deps.passwords.voidEverything(tx, person)
    await note(tx, { ...acting(person, ''), workspaceId: null }, 'password.changed', {})
  }

  async function note(
    tx: Tx,
    who: Omit<Who, 'workspaceId'> & { workspaceId: string | null },
    type: SecurityType,
    details: Record<string, string>,
  ): Promise<void> {
    await deps.security(tx, {
      type,
      userId: who.userId,
      workspaceId: who.workspaceId,
      actor: who.actor,
      ip: null,
      userAgent: null,
      requestId: who.requestId,
      details,
    })
  }

  return Object.assign(bootstrap, { atStart })
}

/**
 * BOOTSTRAP_EMAIL, BOOTSTRAP_PASSWORD and BOOTSTRAP_API_KEY, at each start: the account is made when
 * there is none, gets the password when it has none, and the key in place of an earlier one.
 * @throws OperatorError in one sentence for settings that do not go together or are not good
 */
export async function bootstrapFromConfig(
  config: {
    readonly bootstrapEmail: string | null
    readonly bootstrapPassword: string | null
    readonly bootstrapApiKey: string | null
  },
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

/** The operator at the command line, acting for the account that is being made. */
function acting({ id }: Person, workspaceId: string): Who {
  return systemActing(workspaceId, 'bootstrap', { userId: id })
}

/** A long address is cut. */
function firstName(email: string): string {
  const name = email.split('@')[0]!
  return `${name.slice(0, NAME_MAX_CHARS - NAME_SUFFIX.length)}${NAME_SUFFIX}`
}

function checkEmail(email: string): Address {
  const address = parseAddress(email.trim())
  if (!address) throw new OperatorError(`${JSON.stringify(email)} is not an e-mail address.`)
  return address
}

/** What a client would be told is the operator's to mend: another password, a bigger plan. */
function inSentence(error: unknown): unknown {
  return error instanceof ApiError ? new OperatorError(error.message) : error
}

function checkRole(role: string): Role {
  if (!ROLES.includes(role as Role))
    throw new OperatorError(`A role is one of ${ROLES.join(', ')}.`)
  return role as Role
}
