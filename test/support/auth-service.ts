import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { createAuth } from '../../src/accounts/sign-in/open.ts'
import { SESSION_COOKIE } from '../../src/accounts/sign-in/sessions.ts'
import type { Limiter } from '../../src/platform/resources/dependencies.ts'
import { completeSignIn, enter } from '../../src/accounts/sign-in/complete-sign-in.ts'
import type { Caller } from '../../src/platform/routes/caller.ts'
import { Browser, dataOf, openDependencies } from './auth-rules.ts'

export const PASSWORD = 'quiet harbour lamp'
export const OTHER_PASSWORD = 'seven grey herons'

export type Sent = {
  kind: string
  to: string
  token?: string
  name: string
  email?: string
  newEmail?: string
}

type Options = {
  signup?: 'open' | 'invite' | 'closed'
  requireEmailVerification?: boolean
  accountLimiter?: Limiter
  accountIpLimiter?: Limiter
  mailLimiter?: Limiter
  mailNetworkLimiter?: Limiter
}

export type Service = Awaited<ReturnType<typeof openService>>

let serial = 0

/** The core of the auth service on databases of its own, and mails as they would be sent. */
export async function openService(t: TestContext, options: Options = {}) {
  const deps = await openDependencies(t)
  const built = build(deps, options)

  function freshEmail(): string {
    return `user-${process.pid}-${++serial}@example.com`
  }

  /** A user with a verified address, a password, and a browser that is signed in. */
  async function member(email = freshEmail()) {
    const browser = newBrowser()
    await signUp(browser, email)
    const { token } = built.sent.findLast((mail) => mail.to === email)!
    const reply = await built.verification.verify(browser.caller, { token: token! })
    browser.keep(reply)
    await signedIn(browser)
    return { email, browser, userId: browser.session!.userId }
  }

  async function signUp(browser: Browser, email: string, password = PASSWORD, name = 'Owner') {
    return browser.keep(await built.signUp.signUp(browser.caller, { name, email, password }))
  }

  async function signIn(browser: Browser, email: string, password = PASSWORD) {
    const reply = browser.keep(await built.signIn.withPassword(browser.caller, { email, password }))
    await signedIn(browser)
    return dataOf(reply)
  }

  /** Gives a browser the session of its cookie, as the gateway does. */
  async function signedIn(browser: Browser): Promise<boolean> {
    const token = browser.cookies[SESSION_COOKIE]
    const holder = token === undefined ? null : await built.sessions.authenticate(token, null)
    browser.session = holder?.session ?? null
    return holder !== null
  }

  /** Events of one user, in the order in which they were written. */
  async function securityTypes(userId: string): Promise<string[]> {
    const rows = await deps.sql<{ type: string }[]>`
      select type from security_log where user_id = ${userId} order by created_at, ctid`
    return rows.map(({ type }) => type)
  }

  function lastMail(email: string, kind?: string): Sent {
    const mail = built.sent.findLast((each) => each.to === email && (!kind || each.kind === kind))
    assert.ok(mail, `no mail ${kind ?? ''} to ${email}`)
    return mail
  }

  return {
    ...deps,
    ...built,
    with: (other: Options) => build(deps, other),
    ...{
      freshEmail,
      member,
      signUpWith: signUp,
      signInWith: signIn,
      signedIn,
      lastMail,
      securityTypes,
    },
  }
}

function build(deps: Awaited<ReturnType<typeof openDependencies>>, options: Options) {
  const sent: Sent[] = []
  const mail = (kind: string) => (to: string, facts: Omit<Sent, 'kind' | 'to'>) =>
    sent.push({ kind, to, ...facts }) > 0
  const mails = {
    verifyEmail: mail('verifyEmail'),
    alreadyRegistered: mail('alreadyRegistered'),
    resetPassword: mail('resetPassword'),
    passwordChanged: mail('passwordChanged'),
    approveEmailChange: mail('approveEmailChange'),
    verifyNewEmail: mail('verifyNewEmail'),
    emailChanged: mail('emailChanged'),
  }
  const own = { ...deps, mails, ...options }
  const auth = createAuth(own)
  const shared = { ...own, passwords: auth.passwords, throttle: auth.throttle }
  return {
    sent,
    ...auth,
    completeSignIn: (caller: Caller, userId: string, method: string) =>
      completeSignIn(shared, caller, userId, method),
    enter: (caller: Caller, userId: string, method: string, passwordHash: string) =>
      enter(shared, caller, userId, method, passwordHash),
  }
}

/** A browser that sends JSON, as the dashboard does. */
export function newBrowser(): Browser {
  const browser = new Browser()
  browser.wantsHtml = false
  return browser
}

/** A browser that follows links and sends plain forms. */
export function formBrowser(): Browser {
  const browser = new Browser()
  browser.wantsHtml = true
  return browser
}

/** The number of these that succeeded. */
export async function successes(works: Promise<unknown>[]): Promise<number> {
  const settled = await Promise.allSettled(works)
  return settled.filter(({ status }) => status === 'fulfilled').length
}
