import type { Clock } from '../../base/clock.ts'
import { ApiError, OperatorError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { ROLES } from '../../base/who.ts'
import type { Role, Who } from '../../base/who.ts'
import { inTransaction } from '../../storage/postgres.ts'
import type { Sql, Tx } from '../../storage/postgres.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit.ts'
import { announceCredentials } from '../credentials.ts'
import { parseAddress } from '../email-address.ts'
import type { Address } from '../email-address.ts'
import type { Limit } from '../limits.ts'

type Deps = {
  /** Sees every workspace. */
  sql: Sql
  clock: Clock
  audit: Audit
  limit: Limit
  apiKeys: Pick<ApiKeys, 'replace'>
  /** The id of the plan that a new workspace gets. */
  initialPlan: string
  /** Ends sessions, keys and factors of an account whose address nobody had verified. */
  closeOtherWays: (tx: Tx, userId: string) => Promise<void>
}

export type BootstrapInput = {
  email: string
  /** Name of a workspace of this person, made when there is none; or the id of any existing one. */
  workspace?: string | undefined
  role?: string | undefined
}

export type BootstrapResult = { userId: string; workspaceId: string; apiKey: string }

export type Bootstrap = (input: BootstrapInput) => Promise<BootstrapResult>

const KEY_NAME = 'bootstrap'

/**
 * The first account without a browser: makes (or finds) a verified person with a workspace, and a
 * fresh API key named `bootstrap` that replaces the earlier one. Running it twice leaves one account.
 * @throws OperatorError in one sentence for bad input.
 */
export function createBootstrap(deps: Deps): Bootstrap {
  const { sql, clock, audit, limit, apiKeys } = deps
  return async (input) => {
    const address = checkEmail(input.email)
    const role = input.role === undefined ? undefined : checkRole(input.role)
    return inTransaction(sql, async (tx) => {
      const userId = await findOrMakeUser(tx, address)
      const workspaceId = await findOrMakeWorkspace(
        tx,
        userId,
        address.email,
        input.workspace,
        role,
      )
      const apiKey = await apiKeys.replace(tx, systemActing(userId, workspaceId), KEY_NAME)
      return { userId, workspaceId, apiKey }
    }).catch((error: unknown) => {
      // A limit of the plan, which the operator can change.
      throw error instanceof ApiError ? new OperatorError(error.message) : error
    })
  }

  /**
   * The operator vouches for the address. An account that somebody opened with it and never
   * verified is its owner's from then on, without the password and the ways in it had before.
   */
  async function findOrMakeUser(tx: Tx, { email, emailKey }: Address): Promise<string> {
    const now = new Date(clock())
    const [made] = await tx<{ id: string }[]>`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        name: email.split('@')[0]!,
        email,
        emailKey,
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (email_key) do nothing returning id`
    if (made) return made.id
    const [user] = await tx<{ id: string; emailVerifiedAt: Date | null }[]>`
      select id, email_verified_at from users where email_key = ${emailKey} for no key update`
    if (!user) throw new OperatorError('This account is being deleted. Try again.')
    if (user.emailVerifiedAt === null) {
      await deps.closeOtherWays(tx, user.id)
      await tx`
        update users set email_verified_at = ${now}, password_hash = null, updated_at = ${now}
        where id = ${user.id}`
    }
    return user.id
  }

  async function findOrMakeWorkspace(
    tx: Tx,
    userId: string,
    email: string,
    wanted: string | undefined,
    role: Role | undefined,
  ): Promise<string> {
    if (wanted?.startsWith('wsp_')) return joinWorkspace(tx, userId, wanted, role)
    const [own] = await tx<{ id: string; role: Role }[]>`
      select w.id, m.role from workspaces w join members m on m.workspace_id = w.id
      where m.user_id = ${userId} ${wanted === undefined ? tx`` : tx`and w.name = ${wanted}`}
      order by m.role = 'owner' desc, w.created_at limit 1`
    if (own) return joinWorkspace(tx, userId, own.id, role)

    const now = new Date(clock())
    const id = newId('wsp', now.getTime())
    const name = wanted ?? `${email.split('@')[0]!}'s workspace`
    if (name.trim() === '' || name.length > 100)
      throw new OperatorError('A workspace name has 1 to 100 characters.')
    await tx`insert into workspaces ${tx({ id, name, plan: deps.initialPlan, createdAt: now, updatedAt: now })}`
    await audit(tx, systemActing(userId, id), {
      action: 'workspace.created',
      target: { type: 'workspace', id, name },
    })
    return joinWorkspace(tx, userId, id, role)
  }

  /** Without a role an existing membership stays as it is, and a new one is an owner's. */
  async function joinWorkspace(
    tx: Tx,
    userId: string,
    id: string,
    role: Role | undefined,
  ): Promise<string> {
    const [workspace] = await tx`select 1 from workspaces where id = ${id}`
    if (!workspace) throw new OperatorError(`There is no workspace ${id}.`)
    const [before] = await tx<{ role: Role }[]>`
      select role from members where workspace_id = ${id} and user_id = ${userId} for update`
    if (before && (role === undefined || role === before.role)) return id
    const wanted = role ?? 'owner'
    // Counted before it is audited: the order of locks everywhere.
    if (!before) await limit(tx, id, 'members')
    await tx`
      insert into members (workspace_id, user_id, role, created_at)
      values (${id}, ${userId}, ${wanted}, ${new Date(clock())})
      on conflict (workspace_id, user_id) do update set role = excluded.role`
    await audit(tx, systemActing(userId, id), {
      action: 'member.role_set',
      target: { type: 'member', id: userId, name: null },
      changes: { role: { old: before?.role ?? null, new: wanted } },
    })
    await announceCredentials(tx, `user:${userId}`)
    return id
  }
}

/** The operator at the command line, acting for the account that is being made. */
function systemActing(userId: string, workspaceId: string): Who {
  return {
    userId,
    workspaceId,
    role: 'owner',
    actor: { type: 'system', id: 'bootstrap' },
    scopes: null,
    requestId: 'bootstrap',
    ip: null,
    userAgent: null,
  }
}

function checkEmail(email: string): Address {
  const address = parseAddress(email)
  if (!address) throw new OperatorError(`${JSON.stringify(email.trim())} is not an e-mail address.`)
  return address
}

function checkRole(role: string): Role {
  if (!ROLES.includes(role as Role))
    throw new OperatorError(`A role is one of ${ROLES.join(', ')}.`)
  return role as Role
}
