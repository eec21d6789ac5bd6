import { crc32 } from 'node:zlib'
import type { LinkOptions, Rule, Variant } from '../platform/facts/link-options.ts'
import { answerEnded, answerWith, PASSWORD, PENDING } from './candidate.ts'
import { prepareConditions } from './conditions.ts'
import type { Candidate, Decision, LinkFacts, Request, Route, Step, Visitor } from './link.ts'
import { toAscii } from './location.ts'

type ToCandidate = (route: Route, destination: string) => Candidate
type Link = {
  readonly facts: LinkFacts
  readonly stored: LinkOptions
  readonly answer: (candidate: Candidate, request: Request) => Decision
  readonly toCandidate: ToCandidate
}

export function prepareSteps(
  facts: LinkFacts,
  stored: LinkOptions,
  forwardsQuery: boolean,
  toCandidate: ToCandidate,
): Step[] {
  const answer = (candidate: Candidate, request: Request) =>
    answerWith(facts, candidate, forwardsQuery, request)
  const link = { facts, stored, answer, toCandidate }
  return [
    ...startStep(link),
    ...endSteps(link),
    ...passwordStep(link),
    ...cardStep(link),
    ...(stored.rules ?? []).filter(({ enabled }) => enabled).map((rule) => ruleStep(link, rule)),
    ...deepLinkStep(link, 'ios', 'iOS', stored.iosDeepLink),
    ...deepLinkStep(link, 'android', 'Android', stored.androidDeepLink),
    ...variantsStep(link),
  ]
}

function startStep({ stored: { startsAt } }: Link): Step[] {
  if (startsAt === undefined) return []
  const startsAtMs = Date.parse(startsAt)
  return [
    {
      name: 'startsAt',
      decide: (_request, nowMs) => (nowMs < startsAtMs ? PENDING : null),
      describe: (_request, nowMs) => ({
        detail: `starts at ${startsAt}, and it is ${toIso(nowMs)}`,
      }),
    },
  ]
}

/** A link that has served all its clicks ends like an expired one, with a page of its own. */
function endSteps({ facts: { expiresAtMs }, stored: { expiredUrl, maxClicks } }: Link): Step[] {
  const own: Decision | null =
    expiredUrl === undefined
      ? null
      : { kind: 'away', status: 302, location: toAscii(expiredUrl, 'utf8') }
  const steps: Step[] = []
  if (expiresAtMs !== null)
    steps.push({
      name: 'expiresAt',
      decide: (request, nowMs) =>
        nowMs >= expiresAtMs ? (own ?? answerEnded('expired', request)) : null,
      describe: (_request, nowMs) => ({
        detail: `expires at ${toIso(expiresAtMs)}, and it is ${toIso(nowMs)}`,
      }),
    })
  if (maxClicks !== undefined)
    steps.push({
      name: 'maxClicks',
      decide: (request) =>
        request.isExhausted ? (own ?? answerEnded('exhausted', request)) : null,
      describe: ({ isExhausted }) => ({
        detail: isExhausted ? `all ${maxClicks} clicks were served` : `at most ${maxClicks} clicks`,
      }),
    })
  return steps
}

function passwordStep({ facts: { id: linkId, passwordHash } }: Link): Step[] {
  if (passwordHash === null) return []
  const lock = { linkId, passwordHash }
  return [
    {
      name: 'password',
      decide: (request) => (request.isUnlocked(lock) ? null : PASSWORD),
      describe: (request) => ({
        detail: `the password was ${request.isUnlocked(lock) ? '' : 'not '}given`,
      }),
    },
  ]
}

/** Programs that draw previews get the author's card and learn no destination. */
function cardStep({ stored: { card, noindex } }: Link): Step[] {
  if (card === undefined) return []
  const preview: Decision = { kind: 'card', status: 200, card, isNoindex: noindex === true }
  return [
    {
      name: 'card',
      decide: ({ kind }) => (kind === 'preview' ? preview : null),
      describe: ({ kind }) => ({
        detail: `for programs that draw previews; the visitor is ${kind}`,
      }),
    },
  ]
}

function ruleStep({ answer, toCandidate }: Link, rule: Rule): Step {
  const route = `rule:${rule.id}` as const
  const candidate = toCandidate(route, rule.destinationUrl)
  const conditions = prepareConditions(rule.conditions)
  return {
    name: route,
    decide: (request, nowMs) =>
      conditions.every(({ holds }) => holds(request, nowMs)) ? answer(candidate, request) : null,
    describe: (request, nowMs) => {
      const { name } = rule
      const failed = conditions.find(({ holds }) => !holds(request, nowMs))
      if (failed === undefined) return { name, detail: `${name}: all conditions hold` }
      const { name: condition, wanted } = failed
      const found = failed.read(request, nowMs)
      const detail = `${name}: needs ${condition} ${wanted}, has ${found || 'none'}`
      return { name, detail, unmet: { condition, wanted, found } }
    },
  }
}

function deepLinkStep(
  { answer, toCandidate }: Link,
  route: 'ios' | 'android',
  os: string,
  deepLink: string | undefined,
): Step[] {
  if (deepLink === undefined) return []
  const candidate = toCandidate(route, deepLink)
  return [
    {
      name: route,
      decide: (request) => (request.device.os === os ? answer(candidate, request) : null),
      describe: ({ device }) => ({
        detail: `for ${os}; the system of the visitor is ${device.os}`,
      }),
    },
  ]
}

function variantsStep({ facts, stored, answer, toCandidate }: Link): Step[] {
  const { variants = [], variantsUntil } = stored
  if (variants.length === 0) return []
  const candidates = variants.map(({ id, destinationUrl }) =>
    toCandidate(`variant:${id}`, destinationUrl),
  )
  const untilMs = variantsUntil === undefined ? Infinity : Date.parse(variantsUntil)
  const draw = (request: Request) => drawVariant(facts.id, request, variants)
  return [
    {
      name: 'variants',
      decide: (request, nowMs) =>
        nowMs < untilMs ? answer(candidates[draw(request)]!, request) : null,
      describe: (request, nowMs) => {
        if (nowMs >= untilMs) return { detail: `ended at ${variantsUntil}` }
        const { name } = variants[draw(request)]!
        return { name, detail: `drawn by address and user agent: ${name}` }
      },
    },
  ]
}

function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString()
}

/** Follows from link, address and user agent, so every edge draws the same one and nothing is stored. */
export function drawVariant(
  linkId: string,
  { address, userAgent }: Pick<Visitor, 'address' | 'userAgent'>,
  variants: readonly Pick<Variant, 'weight'>[],
): number {
  let point = crc32(`${linkId}\n${address}\n${userAgent}`) % 100
  for (const [i, { weight }] of variants.entries()) {
    point -= weight
    if (point < 0) return i
  }
  return variants.length - 1
}
