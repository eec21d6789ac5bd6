import { createRefusalPacer } from '../../platform/work/pacing.ts'
import type { IncomingMessage } from 'node:http'
import { decide } from '../../decision/decide.ts'
import type { EdgeLink } from '../../decision/link.ts'
import { readBasicPassword, readPasswordForm } from '../pages/form.ts'
import type { AnyPage, CountedPage } from '../pages/pages.ts'
import { sendAttemptLimit, sendPasswordPage, type PasswordReason } from '../pages/password-page.ts'
import type { OwnedLock, Unlock } from './unlock.ts'
import type { Visit } from '../visits/visit.ts'

type Deps = {
  unlock: Unlock
  sendPage: (visit: Visit, page: AnyPage) => void
  countPage: (page: CountedPage) => void
  fail: (visit: Visit, error: unknown) => void
}

/**
 * Visits to links with a password, from visitors who have not entered it.
 *
 *   GET  ─▶ page with the form          GET with Basic authentication ─▶ attempt ─right─▶ redirect
 *   POST ─▶ form ─▶ attempt ─right─▶ 303 with the cookie, to the same short URL, whose GET is the click
 *
 * A form sent by another site does no harm: it needs the password, and only unlocks the link for a visitor
 * who follows it anyway. Our own form has an opaque origin, so the origin is not checked.
 */
export class LockedLinks {
  readonly #deps: Deps
  readonly #pace = createRefusalPacer()

  constructor(deps: Deps) {
    this.#deps = deps
  }

  /** @param follow answers the visit again, once its password was right */
  ask(visit: Visit, link: EdgeLink, follow: () => void): void {
    // A HEAD is no attempt: its response would tell whether a password is right.
    const password = visit.isHead ? null : readBasicPassword(visit.headers.authorization)
    if (password === null) return this.#sendForm(visit, 'missing')
    const lock = toLock(link)
    this.#run(visit, () =>
      this.#try(visit, lock, password, () => {
        visit.givenHash = lock.passwordHash
        follow()
      }),
    )
  }

  /**
   * A POST. Only allowed for the form of a link with a password; not for a paused link, which looks like a
   * missing one, nor for a link that has not started.
   * @param path of the link, percent-encoded
   */
  receive(visit: Visit, link: EdgeLink | null, path: string, nowMs: number): void {
    const decision = decide(link, visit, nowMs)
    const page = decision.kind === 'page' ? decision.page : null
    const hasPassword = typeof link?.options?.passwordHash === 'string'
    if (!hasPassword || page === 'missing' || page === 'pending')
      return this.#deps.sendPage(visit, 'wrongMethod')
    // The link has ended, or the password was entered before: the GET of the short URL answers.
    if (page !== 'password') return sendToLink(visit, path)
    this.#readForm(visit, toLock(link), path)
  }

  #readForm(visit: Visit, lock: OwnedLock, path: string): void {
    this.#run(visit, async () => {
      // A POST is never plain, so node:http has read its head.
      const form = await readPasswordForm(visit.req as IncomingMessage)
      if ('problem' in form) {
        if (form.problem !== 'gone') this.#deps.sendPage(visit, form.problem)
        return
      }
      if (form.password === '') return this.#sendForm(visit, 'missing')
      await this.#try(visit, lock, form.password, () =>
        sendToLink(visit, path, this.#deps.unlock.toCookie(lock, path, visit.isHttps)),
      )
    })
  }

  #run(visit: Visit, work: () => Promise<void>): void {
    work().catch((error: unknown) => this.#deps.fail(visit, error))
  }

  async #try(visit: Visit, lock: OwnedLock, password: string, onRight: () => void): Promise<void> {
    const { unlock, sendPage, countPage } = this.#deps
    const attempt = await unlock.attempt(lock, visit.address, password)
    if (visit.res.destroyed) return
    if (attempt === 'right') return onRight()
    if (attempt === 'wrong') return this.#sendForm(visit, 'wrong')
    if (attempt === 'unavailable') return sendPage(visit, 'unavailable')
    const mayStay = await this.#pace()
    if (visit.res.destroyed) return
    countPage('attempts')
    sendAttemptLimit(visit.res, attempt, visit.shown, mayStay ? [] : ['Connection', 'close'])
  }

  #sendForm(visit: Visit, reason: PasswordReason): void {
    this.#deps.countPage('password')
    sendPasswordPage(visit.res, reason, visit.shown)
  }
}

function toLock({ id: linkId, workspaceId, options }: EdgeLink): OwnedLock {
  return { linkId, workspaceId, passwordHash: options!.passwordHash! }
}

function sendToLink({ res, query, requestId }: Visit, path: string, cookie?: string): void {
  res.writeHead(303, [
    'Location',
    query === '' ? path : `${path}?${query}`,
    ...(cookie === undefined ? [] : ['Set-Cookie', cookie]),
    'Cache-Control',
    'private, no-store',
    'X-Request-Id',
    requestId,
    'Content-Length',
    '0',
  ])
  res.end()
}
