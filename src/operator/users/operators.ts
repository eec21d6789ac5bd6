import { ApiError, OperatorError } from '../../platform/core/errors.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'recordSecurity'>

const MAX_LISTED = 1_000

/** Called by the command line alone: no route may mark an account. */
export async function changeOperators(
  deps: Deps,
  { add, remove }: { add?: string | undefined; remove?: string | undefined },
) {
  const { systemSql } = deps
  const email = add ?? remove
  if (email !== undefined)
    await inTransaction(systemSql, async (tx) => {
      const [user] = await tx<{ id: string; isVerified: boolean }[]>`
        select id, email_verified_at is not null as is_verified from users
        where email_key = ${email.trim().toLowerCase()} for no key update`
      if (!user)
        throw new ApiError(
          'NOT_FOUND',
          `There is no account with the address ${JSON.stringify(email)}.`,
        )
      // A stranger may have opened an account that has not proven its address.
      if (add !== undefined && !user.isVerified)
        throw new OperatorError(
          `The address ${JSON.stringify(email)} is not verified; "bootstrap --email … --operator" confirms it.`,
        )
      await markOperator(deps, tx, user.id, add !== undefined)
    })
  const operators = await systemSql<{ id: string; name: string; email: string }[]>`
    select id, name, email from users where is_operator order by email_key limit ${MAX_LISTED}`
  return { operators }
}

export async function markOperator(
  { clock, recordSecurity }: Omit<Deps, 'systemSql'>,
  tx: Tx,
  userId: string,
  isOperator: boolean,
): Promise<void> {
  const [changed] = await tx`
    update users set is_operator = ${isOperator}, updated_at = ${new Date(clock())}
    where id = ${userId} and is_operator <> ${isOperator} returning id`
  if (!changed) return
  await recordSecurity(tx, {
    type: isOperator ? 'operator.added' : 'operator.removed',
    userId,
    workspaceId: null,
    actor: { type: 'system', id: 'operator' },
    ip: null,
    userAgent: null,
    requestId: 'operator',
  })
}
