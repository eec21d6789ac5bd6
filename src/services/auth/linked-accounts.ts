import type { Caller } from '../../base/caller.ts'
import { ApiError } from '../../base/errors.ts'
import type { Reply } from '../../base/route.ts'
import { inTransaction, type Tx, type SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import type { LinkedAccount } from './factor-schema.ts'
import { entryOf, sessionOf } from './two-factor.ts'

/** How a person may sign in; the last way is not taken away. */
export type Ways = {
  /** Takings-away of one person happen one after the other: two at once leave one. */
  lock(tx: Tx, userId: string): Promise<void>
  /** @throws ApiError CONFLICT when nothing is left to sign in with */
  requireOne(tx: Tx, userId: string): Promise<void>
}

/** @param providerIds the configured ones: an account at another provider signs nobody in */
export function createWays(providerIds: readonly string[]): Ways {
  return {
    async lock(tx, userId) {
      await tx`select 1 from users where id = ${userId} for no key update`
    },
    async requireOne(tx, userId) {
      const [left] = await tx`
        select 1 from users u where id = ${userId} and (
          password_hash is not null
          or exists (select from passkeys where user_id = u.id)
          or exists (select from linked_accounts
            where user_id = u.id and provider = any(${[...providerIds]}::text[])))`
      if (left) return
      throw new ApiError(
        'CONFLICT',
        'This is your last way to sign in. Set a password or add another way first.',
      )
    },
  }
}

type Row = {
  id: string
  provider: string
  email: string | null
  createdAt: Date
  lastUsedAt: Date
}

export type Accounts = {
  list(caller: Caller): Promise<Reply<LinkedAccount[]>>
  unlink(caller: Caller, id: string): Promise<Reply<undefined>>
}

/** The accounts at providers that sign a person in. */
export function createAccounts(deps: {
  /** Of the worker role. */
  sql: SystemSql
  recordSecurity: RecordSecurity
  ways: Ways
}): Accounts {
  const { sql } = deps

  async function list(caller: Caller) {
    const { userId } = sessionOf(caller)
    const rows = await sql<Row[]>`
      select id, provider, email, created_at, last_used_at from linked_accounts
      where user_id = ${userId} order by created_at, id`
    return { data: rows.map(toAccount) }
  }

  async function unlink(caller: Caller, id: string) {
    const { userId } = sessionOf(caller)
    await inTransaction(sql, async (tx) => {
      await deps.ways.lock(tx, userId)
      const [row] = await tx<{ provider: string; email: string | null }[]>`
        delete from linked_accounts where id = ${id} and user_id = ${userId}
        returning provider, email`
      if (!row) throw new ApiError('NOT_FOUND', 'There is no such account.')
      await deps.ways.requireOne(tx, userId)
      await deps.recordSecurity(tx, {
        ...entryOf(caller, userId, 'account.unlinked'),
        details: { provider: row.provider, email: row.email },
      })
    })
    return { data: undefined }
  }

  return { list, unlink }
}

function toAccount(row: Row): LinkedAccount {
  return {
    id: row.id,
    provider: row.provider,
    email: row.email,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt.toISOString(),
  }
}
