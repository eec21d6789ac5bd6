import { cutUtm } from '../../decision/link.ts'
import { readQueryUtm, readTrigger } from '../../decision/location.ts'
import type { Outcome, Waiter } from '../../clicks/journal/open-segment.ts'
import type { Journal } from '../../clicks/journal/writer.ts'
import type { BioPage } from '../pages/bio-pages.ts'
import type { AnyPage } from '../pages/pages.ts'
import { toRecord, type Visit } from './visit.ts'

type Deps = {
  journal: Pick<Journal, 'append'>
  sendPage: (visit: Visit, page: AnyPage) => void
  countView: () => void
}

/**
 * Visits of bio pages. A page is sent only after its view is journaled, like a redirect and its click; a
 * 304 counts too. HEAD requests do not.
 */
export class BioVisits {
  readonly #deps: Deps

  constructor(deps: Deps) {
    this.#deps = deps
  }

  show(visit: Visit, page: BioPage, nowMs: number): void {
    if (page.refusal !== null) return this.#deps.sendPage(visit, page.refusal)
    if (visit.isHead) return sendBioPage(visit, page)
    const { query } = visit
    const utm = cutUtm(readQueryUtm(query))
    const subject = {
      workspaceId: page.workspaceId,
      linkId: page.id,
      slug: page.slug,
      ...{ destination: '', utm, trigger: readTrigger(query), route: 'default', isView: true },
    }
    const answer = new PageAnswer(visit, page, this.#deps)
    const recordPart = query === '' ? page.recordPart : undefined
    this.#deps.journal.append(toRecord(visit, subject, nowMs), answer, recordPart)
  }
}

class PageAnswer implements Waiter {
  readonly #visit: Visit
  readonly #page: BioPage
  readonly #deps: Deps

  constructor(visit: Visit, page: BioPage, deps: Deps) {
    this.#visit = visit
    this.#page = page
    this.#deps = deps
  }

  settled(outcome: Outcome): void {
    if (outcome === 'refused') return this.#deps.sendPage(this.#visit, 'unavailable')
    this.#deps.countView()
    sendBioPage(this.#visit, this.#page)
  }
}

function sendBioPage({ res, headers, requestId }: Visit, { rendered }: BioPage): void {
  const { html, etag } = rendered
  const common = ['X-Request-Id', requestId, ...rendered.headers]
  if (headers['if-none-match']?.includes(etag)) {
    res.writeHead(304, common)
    res.end()
    return
  }
  res.writeHead(200, [
    'Content-Type',
    'text/html; charset=utf-8',
    'Content-Length',
    String(html.length),
    ...common,
  ])
  // Node writes no body to a HEAD request.
  res.end(html)
}
