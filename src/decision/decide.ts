import { answerEnded, BY_STATUS, MISSING } from './answers.ts'
import { answerWith, toRedirect } from './candidate.ts'
import type { Decision, EdgeLink, Inspection, Page, Request } from './link.ts'

/**
 * The answer to a request for a link, a function of these arguments alone. Redirects and interstitials
 * that are sent to a GET are clicks; all other answers are none.
 * @param link null if the slug is free
 */
export function decide(link: EdgeLink | null, request: Request, nowMs: number): Decision {
  if (link === null) return MISSING
  const ended = BY_STATUS[link.status]
  if (ended !== null) return ended
  if (link.options !== null) return decideOptions(link, request, nowMs)
  if (link.expiresAtMs !== null && nowMs >= link.expiresAtMs) return answerEnded('expired', request)
  const { query } = request
  return query === '' ? link.plain : toRedirect(link, null, link.destination, query)
}

/** The first step that has an answer decides; the destination of the link is the last. */
function decideOptions(link: EdgeLink, request: Request, nowMs: number): Decision {
  const { steps, defaultCandidate, forwardsQuery } = link.options!
  for (const step of steps) {
    const decision = step.decide(request, nowMs)
    if (decision !== null) return decision
  }
  return answerWith(link, defaultCandidate, forwardsQuery, request)
}

/**
 * Need of a decision for the `maxClicks` of its link: `one` of the redirects, which is taken before
 * the answer; only that some are `left`, because a link that was served often enough asks for no password
 * and has no preview; or `none`. If it cannot have it, `decide` is asked again with `isExhausted`.
 * A HEAD request needs `left` where a GET takes `one`.
 */
export function quotaOf(link: EdgeLink, decision: Decision): 'none' | 'left' | 'one' {
  if (link.options === null || link.options.maxClicks === null) return 'none'
  if (decision.kind === 'redirect' || decision.kind === 'interstitial') return 'one'
  const isLater =
    decision.kind === 'card' || (decision.kind === 'page' && decision.page === 'password')
  return isLater ? 'left' : 'none'
}

/**
 * The answer to the short URL with a `+` at its end: the page that shows the destination. It is missing
 * for a link that does not redirect, for one with a password, and for one with `maxClicks`, since it
 * would tell the destination without a click.
 */
export function inspect(link: EdgeLink | null, nowMs: number): Inspection | Page {
  if (link === null || BY_STATUS[link.status] !== null) return MISSING
  if (link.expiresAtMs !== null && nowMs >= link.expiresAtMs) return MISSING
  const { options } = link
  if (options !== null) {
    if (options.passwordHash !== null || options.maxClicks !== null) return MISSING
    if (nowMs < options.startsAtMs) return MISSING
  }
  // The default candidate of a link is its destination, an http(s) URL.
  const isConditional = options !== null && options.isConditional
  return { kind: 'inspection', status: 200, destination: link.plain.location, isConditional }
}
