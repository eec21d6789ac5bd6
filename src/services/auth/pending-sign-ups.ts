import type { Caller, Cookie } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { Tx, SystemSql } from '../../storage/postgres.ts'
import { newToken, hashToken } from '../../base/token.ts'
import { LINK_LIFETIME_MS } from './tokens.ts'

/** A sign-up that waits for its link to be used. */
export type Pending = {
  id: string
  email: string
  emailKey: string
  name: string
  passwordHash: string
  userId: string | null
  browserHash: Buffer
}

export const SIGN_UP_COOKIE = 'signpost_signup'

/** A link can be sent again for a week. */
const LIFETIME_MS = 7 * 86_400_000
const MAX_ATTEMPTS = 5
/** Newest first; how many an address can have is bounded by what a network may ask for. */
const MAX_COMPARED = 100
const BROWSER_SECRET = /^[A-Za-z0-9_-]{43}$/

export type PendingStore = ReturnType<typeof createPendingStore>

/**
 * The table of pending sign-ups. Each belongs to the browser that typed its password: the browser
 * has a secret in a cookie, and the row its hash.
 */
export function createPendingStore({ systemSql, clock }: { systemSql: SystemSql; clock: Clock }) {
  /** @returns the token of its link */
  async function add(
    tx: Tx,
    values: Omit<Pending, 'id' | 'browserHash'>,
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

  /** A new link for it, which voids the one before. Null when it is gone by now. */
  async function renew(id: string): Promise<string | null> {
    const { token, hash } = newToken()
    const rows = await systemSql`
      update pending_sign_ups set token_hash = ${hash}, attempts = 0,
        token_expires_at = ${new Date(clock() + LINK_LIFETIME_MS)}
      where id = ${id} returning 1`
    return rows.length === 1 ? token : null
  }

  /** The sign-up of a link that still works, without using it. */
  async function peek(token: string): Promise<Pending | null> {
    const [row] = await systemSql<Pending[]>`
      select * from pending_sign_ups
      where token_hash = ${hashToken(token)} and token_expires_at > ${new Date(clock())}
        and attempts < ${MAX_ATTEMPTS}`
    return row ?? null
  }

  /** Counts before the password is compared, so that parallel guesses are five as well. */
  async function takeAttempt(token: string): Promise<boolean> {
    const rows = await systemSql`
      update pending_sign_ups set attempts = attempts + 1
      where token_hash = ${hashToken(token)} and attempts < ${MAX_ATTEMPTS} returning 1`
    return rows.length === 1
  }

  /** Uses the link: of many at once, one succeeds. The others of the address become void. */
  async function take(tx: Tx, { id, emailKey }: Pending, token: string): Promise<boolean> {
    const taken = await tx`
      delete from pending_sign_ups
      where id = ${id} and token_hash = ${hashToken(token)}
        and token_expires_at > ${new Date(clock())} returning 1`
    if (taken.length === 1) await voidAddress(tx, emailKey)
    return taken.length === 1
  }

  async function voidAddress(tx: Tx, emailKey: string): Promise<void> {
    await tx`delete from pending_sign_ups where email_key = ${emailKey}`
  }

  /** Newest first. */
  function ofAddress(emailKey: string): Promise<Pending[]> {
    return systemSql<Pending[]>`
      select * from pending_sign_ups
      where email_key = ${emailKey} and expires_at > ${new Date(clock())}
      order by created_at desc, id desc limit ${MAX_COMPARED}`
  }

  /** The newest of an address that this browser typed. */
  async function ofBrowser(emailKey: string, { cookies }: Caller): Promise<Pending | null> {
    const own = cookies[SIGN_UP_COOKIE]
    if (own === undefined) return null
    const [row] = await systemSql<Pending[]>`
      select * from pending_sign_ups
      where email_key = ${emailKey} and browser_hash = ${hashToken(own)}
        and expires_at > ${new Date(clock())}
      order by created_at desc, id desc limit 1`
    return row ?? null
  }

  /** The newest of an address with this hash, which the address alone salts. */
  async function ofPassword(emailKey: string, passwordHash: string): Promise<Pending | null> {
    const [row] = await systemSql<Pending[]>`
      select * from pending_sign_ups
      where email_key = ${emailKey} and password_hash = ${passwordHash}
        and expires_at > ${new Date(clock())}
      order by created_at desc, id desc limit 1`
    return row ?? null
  }

  return { add, renew, peek, takeAttempt, take, voidAddress, ofAddress, ofBrowser, ofPassword }
}

/** The secret that this browser has, or gets. */
export function browserSecretOf({ cookies }: Caller): string {
  const own = cookies[SIGN_UP_COOKIE] ?? ''
  return BROWSER_SECRET.test(own) ? own : newToken().token
}

export function browserCookie(value: string): Cookie {
  return { name: SIGN_UP_COOKIE, value, maxAgeSeconds: LIFETIME_MS / 1_000 }
}

/** True in the browser that typed the password. */
export function isOfBrowser({ browserHash }: Pending, { cookies }: Caller): boolean {
  const own = cookies[SIGN_UP_COOKIE]
  return own !== undefined && hashToken(own).equals(browserHash)
}
