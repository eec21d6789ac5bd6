import { answerEnded, answerWith, BY_STATUS, MISSING, toRedirect } from './candidate.ts'
import type {
  Decision,
  Described,
  EdgeLink,
  Inspection,
  LinkFacts,
  Page,
  Request,
  StepName,
  Unmet,
} from './link.ts'
import { toEdgeLink } from './prepare.ts'

/**
 * Decides the answer to a request from these arguments alone. Redirects and interstitials sent to a GET are clicks;
 * no other answers are.
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

function decideOptions(link: EdgeLink, request: Request, nowMs: number): Decision {
  const { steps, defaultCandidate, forwardsQuery } = link.options!
  for (const step of steps) {
    const decision = step.decide(request, nowMs)
    if (decision !== null) return decision
  }
  return answerWith(link, defaultCandidate, forwardsQuery, request)
}

/**
 * How a decision uses `maxClicks`: `one` redirect is taken before the answer; some must be `left`, since a used-up
 * link neither asks for a password nor has a preview; or `none`. If nothing is left, `decide` is called again with
 * `isExhausted`. A HEAD request needs `left` where a GET takes `one`.
 */
export function quotaOf(link: EdgeLink, decision: Decision): 'none' | 'left' | 'one' {
  if (link.options === null || link.options.maxClicks === null) return 'none'
  if (decision.kind === 'redirect' || decision.kind === 'interstitial') return 'one'
  const isLater =
    decision.kind === 'card' || (decision.kind === 'page' && decision.page === 'password')
  return isLater ? 'left' : 'none'
}

/** Missing for links that do not redirect, and with a password or `maxClicks`: it would reveal their destination. */
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

export type ExplainedStep = {
  readonly step: 'status' | StepName | 'destination'
  readonly result: 'answer' | 'continue'
  readonly detail: string
  readonly name: string | null
  readonly unmet: Unmet | null
}

export function explain(
  facts: LinkFacts,
  request: Request,
  nowMs: number,
): { decision: Decision; steps: ExplainedStep[] } {
  // With options, an expiry is an ordinary step; nothing is recorded.
  const link = toEdgeLink({ ...facts, options: facts.options ?? {} }, () => '')
  const decision = decide(link, request, nowMs)
  const steps: ExplainedStep[] = []
  const add = (
    step: ExplainedStep['step'],
    isLast: boolean,
    { detail, name, unmet }: Described,
  ) => {
    const result = isLast ? 'answer' : 'continue'
    steps.push({ step, result, detail, name: name ?? null, unmet: unmet ?? null })
    return isLast
  }
  const isOff = BY_STATUS[facts.status] !== null
  if (add('status', isOff, { detail: `the link is ${facts.status}` })) return { decision, steps }
  for (const step of link.options?.steps ?? []) {
    const isLast = step.decide(request, nowMs) !== null
    if (add(step.name, isLast, step.describe(request, nowMs))) return { decision, steps }
  }
  add('destination', true, { detail: 'the destination of the link' })
  return { decision, steps }
}
