import type { Caller } from '../../base/caller.ts'
import type { Tx } from '../../storage/postgres.ts'
import type { Sessions } from './sessions.ts'

export type TakeoverDeps = {
  sessions: Pick<Sessions, 'revokeAll'>
  /** Ends the API keys of a person, in every workspace. */
  revokeKeysOf: (tx: Tx, caller: Caller, userId: string) => Promise<void>
}

/**
 * Whoever shows that an address is theirs gets the account that somebody else opened with it and
 * never verified; every way in that was set up until then ends, and so do the links of mails and
 * the change of address that the account's first holder may still have open.
 */
export async function closeOtherWays(
  { sessions, revokeKeysOf }: TakeoverDeps,
  tx: Tx,
  caller: Caller,
  userId: string,
): Promise<void> {
  await sessions.revokeAll(tx, userId, null)
  await tx`delete from pending_sign_ins where user_id = ${userId}`
  await tx`delete from auth_tokens where user_id = ${userId}`
  await tx`delete from email_changes where user_id = ${userId}`
  await tx`
    delete from pending_sign_ups
    where email_key = (select email_key from users where id = ${userId})`
  await tx`delete from two_factor where user_id = ${userId}`
  await tx`delete from passkeys where user_id = ${userId}`
  await tx`delete from linked_accounts where user_id = ${userId}`
  await revokeKeysOf(tx, caller, userId)
}
