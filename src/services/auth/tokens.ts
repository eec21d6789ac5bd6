import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Tx, SystemSql } from '../../storage/postgres.ts'
import { newToken, hashToken } from '../../base/token.ts'

export type TokenKind = 'reset_password' | 'approve_email' | 'verify_email'

/** For links of mails (OWASP, Forgot Password): long enough to arrive, short enough to matter little. */
export const LINK_LIFETIME_MS = 3_600_000

export type Tokens = ReturnType<typeof createTokens>

/**
 * The one-time tokens of links in mails to people with an account, as SHA-256.
 *
 *   valid ──used──▶ gone
 *     ├──an hour──▶ void
 *     └──a newer one of its kind, or another password or address──▶ gone
 */
export function createTokens({ clock }: { clock: Clock }) {
  /**
   * Makes a token for the person with this address. Without such a person there is none, and the
   * same statement was run.
   */
  async function issueByAddress(tx: Tx, emailKey: string, kind: TokenKind): Promise<string> {
    const { token, hash } = newToken()
    await tx`
      insert into auth_tokens (user_id, kind, token_hash, expires_at)
      select id, ${kind}, ${hash}, ${endOfLink()} from users where email_key = ${emailKey}
      on conflict (user_id, kind)
        do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
    return token
  }

  async function issue(
    tx: Tx,
    userId: string,
    kind: TokenKind,
    lifetimeMs = LINK_LIFETIME_MS,
  ): Promise<string> {
    const { token, hash } = newToken()
    await tx`
      insert into auth_tokens (user_id, kind, token_hash, expires_at)
      values (${userId}, ${kind}, ${hash}, ${endOfLink(lifetimeMs)})
      on conflict (user_id, kind)
        do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`
    return token
  }

  /** Whose token it is, without using it; null when it is of no use. */
  async function peek(
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

  /**
   * Uses a token: of many at once, one succeeds. The caller holds the lock of the person's row.
   * @throws ApiError GONE
   */
  async function take(tx: Tx, userId: string, kind: TokenKind, token: string): Promise<void> {
    const [taken] = await tx`
      delete from auth_tokens
      where token_hash = ${hashToken(token)} and user_id = ${userId} and kind = ${kind}
        and expires_at > ${new Date(clock())} returning 1`
    if (!taken) throw linkIsGone()
  }

  /** What was mailed before no longer opens anything. */
  async function voidAll(tx: Tx, userId: string): Promise<void> {
    await tx`delete from auth_tokens where user_id = ${userId}`
    await tx`delete from email_changes where user_id = ${userId}`
  }

  function endOfLink(lifetimeMs = LINK_LIFETIME_MS): Date {
    return new Date(clock() + lifetimeMs)
  }

  return { issue, issueByAddress, peek, take, voidAll }
}

/** The same for a link that is unknown, used, replaced or too old. */
export function linkIsGone(): ApiError {
  return new ApiError(
    'GONE',
    'This link has been used, a newer one has replaced it, or it is too old. Ask for a new one.',
  )
}
