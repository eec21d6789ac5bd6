import type { Caller } from '../../platform/routes/caller.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { voidPendingSignUps } from './pending-sign-ups.ts'
import { revokeSessions } from './sessions.ts'
import { voidLinks } from './tokens.ts'
import type { UserRow } from './users.ts'

export type TakeoverDeps = {
  /** Revokes the API keys of a user in every workspace. */
  revokeKeysOf: (tx: Tx, caller: Caller, userId: string) => Promise<void>
}

/**
 * Ends everything that the former password started: sessions, sign-ins that wait for a second
 * factor, links in mails and pending sign-ups. The caller holds the lock of the user's row.
 */
export async function revokeSignIns(
  tx: Tx,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await voidLinks(tx, id)
  await voidPendingSignUps(tx, emailKey)
  await voidPendingSignIns(tx, id)
  await revokeSessions(tx, id, null)
}

/** Voids sign-ins that wait for a second factor. */
export async function voidPendingSignIns(tx: Tx, userId: string): Promise<void> {
  await tx`delete from pending_sign_ins where user_id = ${userId}`
}

/**
 * Gives an account to the verified owner of its address. A stranger may have opened the
 * account, so every access that was set up before ends.
 */
export async function revokeAllAccess(
  { revokeKeysOf }: TakeoverDeps,
  tx: Tx,
  caller: Caller,
  user: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await revokeSignIns(tx, user)
  await tx`delete from two_factor where user_id = ${user.id}`
  await tx`delete from passkeys where user_id = ${user.id}`
  await tx`delete from linked_accounts where user_id = ${user.id}`
  await revokeKeysOf(tx, caller, user.id)
}
