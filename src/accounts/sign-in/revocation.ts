import type { Caller } from '../../platform/routes/caller.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { revokeEverywhere } from '../api-keys/api-keys.ts'
import { voidPendingSignUps } from './pending-sign-ups.ts'
import { revokeSessions } from './sessions.ts'
import { voidLinks } from './tokens.ts'
import type { UserRow } from './users.ts'

/** Ends everything that the former password started. The caller has locked the user. */
export async function revokeSignIns(
  tx: Tx,
  { id, emailKey }: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await voidLinks(tx, id)
  await voidPendingSignUps(tx, emailKey)
  await voidPendingSignIns(tx, id)
  await revokeSessions(tx, id, null)
}

export async function voidPendingSignIns(tx: Tx, userId: string): Promise<void> {
  await tx`delete from pending_sign_ins where user_id = ${userId}`
}

/** Until the owner of the address verified it, a stranger may have opened the account. */
export async function revokeAllAccess(
  deps: Pick<Dependencies, 'audit' | 'limit' | 'recordSecurity'>,
  tx: Tx,
  caller: Caller,
  user: Pick<UserRow, 'id' | 'emailKey'>,
): Promise<void> {
  await revokeSignIns(tx, user)
  await tx`delete from two_factor where user_id = ${user.id}`
  await tx`delete from passkeys where user_id = ${user.id}`
  await tx`delete from linked_accounts where user_id = ${user.id}`
  await revokeEverywhere(deps, tx, caller, user.id)
}
