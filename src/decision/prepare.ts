import type { LinkOptions } from '../platform/facts/link-options.ts'
import { PreparedCandidate, toRedirect } from './candidate.ts'
import {
  cutUtm,
  type Candidate,
  type EdgeLink,
  type EdgeOptions,
  type LinkFacts,
  type Route,
  type ToRecordPart,
} from './link.ts'
import { prepareSteps } from './steps.ts'

/** Computes once per link what does not depend on the request. */
export function toEdgeLink(facts: LinkFacts, toRecordPart: ToRecordPart): EdgeLink {
  const { passwordHash, options: stored, domainId, ...kept } = facts
  if (stored !== null || passwordHash !== null) {
    const options = prepareOptions(facts, stored ?? {}, toRecordPart)
    const { plain, recordPart } = options.defaultCandidate
    return { plain, recordPart, ...kept, options }
  }
  const { workspaceId, id: linkId, slug, destination } = facts
  const plain = toRedirect(facts, null, destination, '')
  const utm = cutUtm(plain.utm)
  const fields = { workspaceId, linkId, domainId, slug, destination, utm }
  const recordPart = toRecordPart({ ...fields, route: 'default' })
  return { plain, recordPart, ...kept, options: null }
}

function prepareOptions(
  facts: LinkFacts,
  stored: LinkOptions,
  toRecordPart: ToRecordPart,
): EdgeOptions {
  const traits = { isCacheable: isConstant(facts, stored), isNoindex: stored.noindex === true }
  const candidates: Candidate[] = []
  const toCandidate = (route: Route, destination: string) => {
    const candidate = new PreparedCandidate(facts, traits, toRecordPart, route, destination)
    candidates.push(candidate)
    return candidate
  }
  const forwardsQuery = stored.forwardQuery !== false
  const defaultCandidate = toCandidate('default', facts.destination)
  const steps = prepareSteps(facts, stored, forwardsQuery, toCandidate)
  return {
    steps,
    defaultCandidate,
    forwardsQuery,
    startsAtMs: stored.startsAt === undefined ? -Infinity : Date.parse(stored.startsAt),
    maxClicks: stored.maxClicks ?? null,
    isConditional: candidates.length > 1,
    passwordHash: facts.passwordHash,
    tracksConversions: stored.trackConversions === true,
    weight: weigh(candidates.slice(1), stored),
  }
}

/** Whether every visitor always gets the same answer, apart from query, `noindex` and QR codes. */
function isConstant({ passwordHash, expiresAtMs }: LinkFacts, stored: LinkOptions): boolean {
  const { forwardQuery: _query, noindex: _noindex, qrLogoMediaId: _logo, ...deciding } = stored
  return passwordHash === null && expiresAtMs === null && Object.keys(deciding).length === 0
}

function weigh(candidates: readonly Candidate[], stored: LinkOptions): number {
  const texts = candidates.map(
    ({ recordPart, plain }) =>
      recordPart.length +
      plain.location.length +
      (plain.kind === 'interstitial' ? plain.fallback.length : 0),
  )
  return texts.reduce((sum, length) => sum + length, JSON.stringify(stored).length)
}
