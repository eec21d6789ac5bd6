import type { Clock } from '../../base/clock.ts'
import { OperatorError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { ROLES } from '../../base/who.ts'
import type { Role, Who } from '../../base/who.ts'
import { inTransaction } from '../../storage/postgres.ts'
import type { Sql, Tx } from '../../storage/postgres.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Audit } from '../audit.ts'

type Deps = { sql: Sql; clock: Clock; audit: Audit; apiKeys: Pick<ApiKeys, 'replace'> }

export type BootstrapInput = {
  email: string
  /** Name of a workspace of this person, made when there is none; or the id of any existing one. */
  workspace?: string | undefined
  role?: string | undefined
}

export type BootstrapResult = { userId: string; workspaceId: string; apiKey: string }

export type Bootstrap = (input: BootstrapInput) => Promise<BootstrapResult>

const EMAIL = /^[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,190}$/u
const KEY_NAME = 'bootstrap'

/**
 * The first account without a browser: makes (or finds) a verified person with a workspace, and a
 * fresh API key named `bootstrap` that replaces the earlier one. Running it twice leaves one account.
 * @throws OperatorError in one sentence for bad input.
 */
export function createBootstrap({ sql, clock, audit, apiKeys }: Deps): Bootstrap {
  return async (input) => {
    const email = checkEmail(input.email)
    const role = input.role === undefined ? undefined : checkRole(input.role)
    return inTransaction(sql, async (tx) => {
      const userId = await findOrMakeUser(tx, email)
      const workspaceId = await findOrMakeWorkspace(tx, userId, email, input.workspace, role)
      const apiKey = await apiKeys.replace(tx, systemActing(userId, workspaceId), KEY_NAME)
      return { userId, workspaceId, apiKey }
    })
  }

  async function findOrMakeUser(tx: Tx, email: string): Promise<string> {
    const now = new Date(clock())
    const [user] = await tx<{ id: string }[]>`
      insert into users ${tx({
        id: newId('usr', now.getTime()),
        name: email.split('@')[0]!,
        email,
        emailKey: email.toLowerCase(),
        emailVerifiedAt: now,
        createdAt: now,
        updatedAt: now,
      })}
      on conflict (email_key) do update
        set email_verified_at = coalesce(users.email_verified_at, excluded.email_verified_at)
      returning id`
    return user!.id
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
    await tx`insert into workspaces ${tx({ id, name, createdAt: now, updatedAt: now })}`
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
    const [changed] = await tx`
      insert into members (workspace_id, user_id, role, created_at)
      values (${id}, ${userId}, ${role ?? 'owner'}, ${new Date(clock())})
      on conflict (workspace_id, user_id) do update set role = excluded.role
        where ${role ?? null}::text is not null and members.role <> excluded.role
      returning 1`
    if (changed)
      await audit(tx, systemActing(userId, id), {
        action: 'member.role_set',
        target: { type: 'member', id: userId, name: null },
        changes: { role: { old: null, new: role ?? 'owner' } },
      })
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

function checkEmail(email: string): string {
  const trimmed = email.trim()
  if (!EMAIL.test(trimmed) || trimmed.length > 254)
    throw new OperatorError(`${JSON.stringify(trimmed)} is not an e-mail address.`)
  return trimmed
}

function checkRole(role: string): Role {
  if (!ROLES.includes(role as Role))
    throw new OperatorError(`A role is one of ${ROLES.join(', ')}.`)
  return role as Role
}
