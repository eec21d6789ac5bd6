import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { toSecurityEntry } from '../../platform/audit/security.ts'
import { toIsoTimes } from '../../platform/resources/shapes.ts'
import type { LinkedAccount } from '../second-factor/factor-schema.ts'
import { requireSignInMethod } from '../sign-in/sign-in-methods.ts'
import { lockUser, type UserDeps } from '../sign-in/users.ts'

type Deps = Omit<UserDeps, 'clock'> & {
  /** The configured providers. */
  providerIds: readonly string[]
}

type Row = Omit<LinkedAccount, 'createdAt' | 'lastUsedAt'> & { createdAt: Date; lastUsedAt: Date }

export type LinkedAccounts = ReturnType<typeof createLinkedAccounts>

/** The accounts at providers that sign a user in. */
export const createLinkedAccounts = (deps: Deps) => bindDeps(deps, { list, unlink })

async function list({ systemSql }: Deps, caller: Caller): Promise<Reply<LinkedAccount[]>> {
  const { userId } = requireSession(caller)
  const rows = await systemSql<Row[]>`
    select id, provider, email, created_at, last_used_at from linked_accounts
    where user_id = ${userId} order by created_at, id`
  return { data: rows.map(toIsoTimes) }
}

async function unlink(
  { systemSql, recordSecurity, providerIds }: Deps,
  caller: Caller,
  id: string,
): Promise<Reply<undefined>> {
  const { userId } = requireSession(caller)
  await inTransaction(systemSql, async (tx) => {
    await lockUser(tx, userId)
    const [row] = await tx<{ provider: string; email: string | null }[]>`
      delete from linked_accounts where id = ${id} and user_id = ${userId}
      returning provider, email`
    if (!row) throw new ApiError('NOT_FOUND', 'You have no linked account with this id.')
    await requireSignInMethod(providerIds, tx, userId)
    await recordSecurity(tx, {
      ...toSecurityEntry(caller, userId, 'account.unlinked'),
      details: { provider: row.provider, email: row.email },
    })
  })
  return { data: undefined }
}
