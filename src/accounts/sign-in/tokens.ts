import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import type { Tx, SystemSql } from '../../platform/storage/postgres/postgres.ts'

/** One-time tokens of links in mails, stored as SHA-256; a newer one of its kind replaces it. */
export type TokenKind = 'reset_password' | 'approve_email' | 'verify_email'

type Deps = { clock: Clock }

/** An hour, as OWASP's Forgot Password cheat sheet recommends for links in mails. */
export const LINK_LIFETIME_MS = 3_600_000

/** Runs the same statement without an account; the token is of no use then. */
export async function issueToken(
  { clock }: Deps,
  tx: Tx,
  user: { id: string } | { emailKey: string },
  kind: TokenKind,
  lifetimeMs = LINK_LIFETIME_MS,
): Promise<string> {
  const { token, hash } = newToken()
  await tx`
    insert into auth_tokens (user_id, kind, token_hash, expires_at)
    select id, ${kind}, ${hash}, ${new Date(clock() + lifetimeMs)} from users
    where ${'id' in user ? tx`id = ${user.id}` : tx`email_key = ${user.emailKey}`}
    on conflict (user_id, kind)
      do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
  return token
}

export async function findToken(
  { clock }: Deps,
  db: SystemSql | Tx,
  kinds: readonly TokenKind[],
  token: string,
): Promise<{ userId: string; kind: TokenKind } | null> {
  const [row] = await db<{ userId: string; kind: TokenKind }[]>`
    select user_id, kind from auth_tokens
    where token_hash = ${hashToken(token)} and expires_at > ${new Date(clock())}
      and kind = any(${[...kinds]}::text[])`
  return row ?? null
}

/** One of several parallel uses succeeds. The caller holds the lock of the user's row. */
export async function useToken(
  { clock }: Deps,
  tx: Tx,
  userId: string,
  kind: TokenKind,
  token: string,
): Promise<void> {
  const [used] = await tx`
    delete from auth_tokens
    where token_hash = ${hashToken(token)} and user_id = ${userId} and kind = ${kind}
      and expires_at > ${new Date(clock())} returning 1`
  if (!used) throw linkIsGone()
}

export async function voidLinks(tx: Tx, userId: string): Promise<void> {
  await tx`delete from auth_tokens where user_id = ${userId}`
  await tx`delete from email_changes where user_id = ${userId}`
}

/** One error for a link that is unknown, used, replaced or expired. */
export function linkIsGone(): ApiError {
  return new ApiError(
    'GONE',
    'This link has expired, was already used, or was replaced by a newer one. Request a new link.',
  )
}
