import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { newId } from '../../platform/core/ids.ts'
import { hashToken, newToken } from '../../platform/core/secrets.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { LINK_LIFETIME_MS } from './tokens.ts'
import type { UserDeps } from './users.ts'

/** Belongs to the browser in which its password was typed, which has a secret in a cookie. */
export type PendingSignUp = {
  id: string
  email: string
  emailKey: string
  name: string
  passwordHash: string
  /** Its unverified account, if accounts may be used before verification. */
  userId: string | null
  invitationId: string | null
  browserHash: Buffer
}

type Deps = Pick<UserDeps, 'systemSql' | 'clock'>

export const SIGN_UP_COOKIE = 'signpost_signup'

/** A link can be sent again for a week. */
const LIFETIME_MS = 7 * 86_400_000
const MAX_ATTEMPTS = 5
/** Bounds the comparisons of one request; the mail limits bound the rows of an address. */
const MAX_COMPARED = 100
const BROWSER_SECRET = /^[A-Za-z0-9_-]{43}$/

export async function addPendingSignUp(
  { clock }: Deps,
  tx: Tx,
  values: Omit<PendingSignUp, 'id' | 'browserHash'>,
  browserSecret: string,
): Promise<string> {
  const nowMs = clock()
  const { token, hash } = newToken()
  await tx`delete from pending_sign_ups where expires_at <= ${new Date(nowMs)}`
  await tx`
    insert into pending_sign_ups ${tx({
      ...values,
      id: newId('psu', nowMs),
      browserHash: hashToken(browserSecret),
      tokenHash: hash,
      tokenExpiresAt: new Date(nowMs + LINK_LIFETIME_MS),
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + LIFETIME_MS),
    })}`
  return token
}

/** Replaces the link. @returns its token, or null when the sign-up has been deleted */
export async function renewLink({ systemSql, clock }: Deps, id: string): Promise<string | null> {
  const { token, hash } = newToken()
  const rows = await systemSql`
    update pending_sign_ups set token_hash = ${hash}, attempts = 0,
      token_expires_at = ${new Date(clock() + LINK_LIFETIME_MS)}
    where id = ${id} returning 1`
  return rows.length === 1 ? token : null
}

export async function findByLink(
  { systemSql, clock }: Deps,
  token: string,
): Promise<PendingSignUp | null> {
  const [row] = await systemSql<PendingSignUp[]>`
    select * from pending_sign_ups
    where token_hash = ${hashToken(token)} and token_expires_at > ${new Date(clock())}
      and attempts < ${MAX_ATTEMPTS}`
  return row ?? null
}

/** Counts before the password is compared, so that parallel guesses are limited as well. */
export async function takeAttempt({ systemSql }: Deps, token: string): Promise<boolean> {
  const rows = await systemSql`
    update pending_sign_ups set attempts = attempts + 1
    where token_hash = ${hashToken(token)} and attempts < ${MAX_ATTEMPTS} returning 1`
  return rows.length === 1
}

/** Uses the link: one of several parallel uses succeeds, and voids all sign-ups of the address. */
export async function takeByLink(
  { clock }: Deps,
  tx: Tx,
  { id, emailKey }: PendingSignUp,
  token: string,
): Promise<boolean> {
  const taken = await tx`
    delete from pending_sign_ups
    where id = ${id} and token_hash = ${hashToken(token)}
      and token_expires_at > ${new Date(clock())} returning 1`
  if (taken.length === 1) await voidPendingSignUps(tx, emailKey)
  return taken.length === 1
}

export async function voidPendingSignUps(tx: Tx, emailKey: string): Promise<void> {
  await tx`delete from pending_sign_ups where email_key = ${emailKey}`
}

export function listPendingSignUps(
  { systemSql, clock }: Deps,
  emailKey: string,
): Promise<PendingSignUp[]> {
  return systemSql<PendingSignUp[]>`
    select * from pending_sign_ups
    where email_key = ${emailKey} and expires_at > ${new Date(clock())}
    order by created_at desc, id desc limit ${MAX_COMPARED}`
}

export async function findByBrowser(
  { systemSql, clock }: Deps,
  emailKey: string,
  { cookies }: Caller,
): Promise<PendingSignUp | null> {
  const secret = cookies[SIGN_UP_COOKIE]
  if (secret === undefined) return null
  const [row] = await systemSql<PendingSignUp[]>`
    select * from pending_sign_ups
    where email_key = ${emailKey} and browser_hash = ${hashToken(secret)}
      and expires_at > ${new Date(clock())}
    order by created_at desc, id desc limit 1`
  return row ?? null
}

/** The newest sign-up of an address with this password hash, whose salt depends only on the address. */
export async function findByPasswordHash(
  { systemSql, clock }: Deps,
  emailKey: string,
  passwordHash: string,
): Promise<PendingSignUp | null> {
  const [row] = await systemSql<PendingSignUp[]>`
    select * from pending_sign_ups
    where email_key = ${emailKey} and password_hash = ${passwordHash}
      and expires_at > ${new Date(clock())}
    order by created_at desc, id desc limit 1`
  return row ?? null
}

export function getBrowserSecret({ cookies }: Caller): string {
  const secret = cookies[SIGN_UP_COOKIE] ?? ''
  return BROWSER_SECRET.test(secret) ? secret : newToken().token
}

export function browserCookie(value: string): Cookie {
  return { name: SIGN_UP_COOKIE, value, maxAgeSeconds: LIFETIME_MS / 1_000 }
}

export function isTypedIn({ browserHash }: PendingSignUp, { cookies }: Caller): boolean {
  const secret = cookies[SIGN_UP_COOKIE]
  return secret !== undefined && hashToken(secret).equals(browserHash)
}
