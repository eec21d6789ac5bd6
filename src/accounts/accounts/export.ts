import type { Clock } from '../../platform/core/clock.ts'
import { inTransaction, type Tx, type SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import type { AccountExport } from './schema.ts'

const MAX_ROWS = 10_000

/**
 * All data about a user in one snapshot, without hashes, tokens, keys and sealed secrets.
 * @returns null when the account does not exist
 * @param sql privileged: a user may belong to several workspaces, or to none
 */
export async function readAccount(
  sql: SystemSql,
  clock: Clock,
  userId: string,
): Promise<AccountExport | null> {
  return inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    const [user] = await tx<UserRow[]>`
      select u.id, u.name, u.email, u.email_key, u.email_verified_at, u.created_at, u.updated_at,
        u.preferences,
        u.password_hash is not null as has_password,
        exists (select from two_factor f where f.user_id = u.id and f.confirmed_at is not null)
          as two_factor_enabled
      from users u where u.id = ${userId}`
    if (!user) return null
    const { emailKey, ...plain } = user
    return {
      exportedAt: new Date(clock()).toISOString(),
      user: toIsoTimes(plain),
      ...(await readBelongings(tx, userId, emailKey)),
    }
  })
}

type UserRow = Omit<AccountExport['user'], 'emailVerifiedAt' | 'createdAt' | 'updatedAt'> & {
  emailKey: string
  emailVerifiedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

async function readBelongings(
  tx: Tx,
  userId: string,
  emailKey: string,
): Promise<Omit<AccountExport, 'exportedAt' | 'user'>> {
  return {
    memberships: toReply(
      await tx`
        select m.workspace_id, w.name as workspace_name, m.role, m.created_at as joined_at,
          m.last_active_at
        from members m join workspaces w on w.id = m.workspace_id
        where m.user_id = ${userId} order by m.created_at limit ${MAX_ROWS}`,
    ),
    sessions: toReply(
      await tx`
        select id, method, ip_address as ip, user_agent, created_at, last_seen_at, expires_at
        from sessions where user_id = ${userId} order by created_at limit ${MAX_ROWS}`,
    ),
    apiKeys: toReply(
      await tx`
        select id, workspace_id, name, prefix, created_at, last_used_at, expires_at
        from api_keys where user_id = ${userId} order by created_at limit ${MAX_ROWS}`,
    ),
    passkeys: toReply(
      await tx`
        select id, name, created_at from passkeys where user_id = ${userId}
        order by created_at limit ${MAX_ROWS}`,
    ),
    linkedAccounts: toReply(
      await tx`
        select provider, email, created_at from linked_accounts where user_id = ${userId}
        order by created_at limit ${MAX_ROWS}`,
    ),
    invitations: toReply(
      await tx`
        select w.name as workspace_name, i.role, i.status, i.created_at
        from invitations i join workspaces w on w.id = i.workspace_id
        where i.email_key = ${emailKey} order by i.created_at limit ${MAX_ROWS}`,
    ),
    securityLog: toReply(
      await tx`
        select type, outcome, workspace_id, details, ip_address as ip, user_agent, country, created_at
        from security_log where user_id = ${userId}
        order by created_at desc, id desc limit ${MAX_ROWS}`,
    ),
  }
}

/** The columns are those of the shape. */
function toReply<T>(rows: readonly object[]): T[] {
  return rows.map(toIsoTimes) as T[]
}
