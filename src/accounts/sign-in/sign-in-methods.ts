import { ApiError } from '../../platform/core/errors.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/**
 * Keeps the last sign-in method of a user. Called after a method was removed, with the user's row
 * locked: of two parallel removals the second one sees the first.
 * @param providerIds the configured providers; an account at any other does not sign in
 * @throws ApiError CONFLICT when no method is left
 */
export async function requireSignInMethod(
  providerIds: readonly string[],
  tx: Tx,
  userId: string,
): Promise<void> {
  const [left] = await tx`
    select 1 from users u where id = ${userId} and (
      password_hash is not null
      or exists (select from passkeys where user_id = u.id)
      or exists (select from linked_accounts
        where user_id = u.id and provider = any(${[...providerIds]}::text[])))`
  if (left) return
  throw new ApiError(
    'CONFLICT',
    'This is your only way to sign in. Set a password or add another sign-in method first.',
  )
}
