import { ApiError, invalid, itIs, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { explain } from '../../decision/decide.ts'
import type { Decision, LinkFacts, Request } from '../../decision/link.ts'
import { classifyAgent } from '../../platform/facts/bots.ts'
import { CONTINENTS } from '../../platform/facts/geo-fields.ts'
import { createDevices } from '../../platform/facts/device.ts'
import { languageLabel } from '../../platform/facts/visit-headers.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import {
  flag,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  toDate,
} from '../../platform/resources/shapes.ts'
import type { LinkDeps, ShortHost } from '../link/dependencies.ts'
import { checkFields, checkStatus } from '../link/fields.ts'
import { isUsedUp, load, toNewRow, type LinkRow } from '../link/rows.ts'
import { CreateLink } from '../link/schema.ts'
import { readGroups } from '../write/references.ts'
import { checkPassword } from '../write/password.ts'
import { CONDITION_NAMES } from './option-shapes.ts'
import { toRegion } from './options.ts'
import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'

const UNKNOWN = 'unknown'
const CACHED_AGENTS = 256
const readDevice = createDevices(CACHED_AGENTS)

export async function explainLink(
  deps: LinkDeps,
  principal: Principal,
  id: string,
  visit: DescribedVisit,
): Promise<Explanation> {
  const row = await inWorkspace(deps.sql, principal.workspaceId, (tx) => load(tx, principal, id))
  return explainRow(deps, principal, row, visit)
}

export async function explainDraft(
  deps: LinkDeps,
  principal: Principal,
  { visit = {}, ...input }: LinkDraft,
): Promise<Explanation> {
  const row = await checkDraft(deps, principal, { name: 'Draft', ...input })
  try {
    return await explainRow(deps, principal, row, visit)
  } catch (error) {
    throw withVisitPaths(error)
  }
}

async function checkDraft(deps: LinkDeps, principal: Principal, input: CreateLink) {
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, [input]),
  )
  const columns = checkFields(input, deps.shortHost(), null, groups, deps.clock())
  checkStatus(input.status)
  const { password = null } = input
  if (password !== null) checkPassword(password)
  const passwordHash = password === null ? null : 'not hashed'
  return toNewRow(deps, principal, { ...columns, passwordHash })
}

async function explainRow(
  { sql, clock, shortHost }: LinkDeps,
  principal: Principal,
  row: LinkRow,
  visit: DescribedVisit,
): Promise<Explanation> {
  const nowMs = visit.at === undefined ? clock() : toDate(visit.at, 'at').getTime()
  const expiredUrl =
    row.domainId === null ? null : await readExpiredUrl(sql, principal, row.domainId)
  const request = { ...toRequest(visit, row, shortHost()), expiredUrl }
  const { decision, steps } = explain(toFacts(row), request, nowMs)
  return { ...toAnswer(decision), steps }
}

async function readExpiredUrl(sql: LinkDeps['sql'], { workspaceId }: Principal, domainId: string) {
  const [row] = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ expiredUrl: string | null }[]>`
      select expired_url from domains where id = ${domainId} and workspace_id = ${workspaceId}`,
  )
  return row?.expiredUrl ?? null
}

function withVisitPaths(error: unknown): unknown {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return error
  const details = (error.details as ErrorDetail[]).map((detail) => ({
    ...detail,
    path: `visit.${detail.path}`,
  }))
  return new ApiError(error.code, error.message, details)
}

function toRequest(
  visit: DescribedVisit,
  row: LinkRow,
  host: ShortHost,
): Omit<Request, 'expiredUrl'> {
  const { userAgent = '', query = '', unlocked = false } = visit
  return {
    query: toRawQuery(query),
    address: '',
    userAgent,
    kind: classifyAgent(userAgent),
    place: toPlace(visit),
    device: readDevice(userAgent),
    language: toLanguage(visit.language),
    isExhausted: isUsedUp(row),
    shortUrl: (slug) => shortUrlOf(host, row.hostname, slug),
    isUnlocked: () => unlocked,
  }
}

/** Encoded as by a browser, without the question mark. */
function toRawQuery(query: string): string {
  return query
    .toWellFormed()
    .replace(/^\?/, '')
    .replace(/[^!-~]+/g, encodeURIComponent)
}

function toPlace(visit: DescribedVisit): Request['place'] {
  const { country, region, city = UNKNOWN } = visit
  const refuse = (path: 'country' | 'region', wanted: string) =>
    invalid(path, `${path} must be ${wanted}${itIs(path, visit[path])}.`)
  const known = region === undefined ? undefined : toRegion(region)
  if (known === null) throw refuse('region', 'a country and a region, such as US-CA')
  const code = country?.toUpperCase() ?? known?.slice(0, 2) ?? UNKNOWN
  const continent = CONTINENTS.get(code)
  if (country !== undefined && continent === undefined)
    throw refuse('country', 'the ISO 3166-1 code of a country, such as DE')
  if (known !== undefined && !known.startsWith(`${code}-`))
    throw refuse('region', `a region of the country ${code}`)
  return { country: code, region: known ?? UNKNOWN, city, continent: continent ?? UNKNOWN }
}

function toLanguage(input: string | undefined): string {
  if (input === undefined) return UNKNOWN
  const label = languageLabel(input)
  if (label === UNKNOWN)
    throw invalid(
      'language',
      `language must be a language, such as de or de-AT,en;q=0.5${itIs('language', input)}.`,
    )
  return label
}

function toFacts(row: LinkRow): LinkFacts {
  return {
    id: row.id,
    workspaceId: row.workspaceId,
    domainId: row.domainId ?? '',
    slug: row.slug,
    destination: row.destinationUrl,
    // The constraints of the table allow no other values.
    status: row.status as LinkFacts['status'],
    redirectType: row.redirectType as LinkFacts['redirectType'],
    expiresAtMs: row.expiresAt?.getTime() ?? null,
    utm: [
      row.utmSource ?? '',
      row.utmMedium ?? '',
      row.utmCampaign ?? '',
      row.utmTerm ?? '',
      row.utmContent ?? '',
    ],
    options: row.options,
    passwordHash: row.passwordHash,
  }
}

function toAnswer(decision: Decision): Omit<Explanation, 'steps'> {
  const { kind, status } = decision
  const nothing = { status, location: null, page: null, route: null }
  switch (kind) {
    case 'redirect': {
      const { location, candidate } = decision
      return { ...nothing, outcome: kind, location, route: candidate?.route ?? 'default' }
    }
    case 'interstitial': {
      const { location, candidate } = decision
      return { ...nothing, outcome: kind, location, page: kind, route: candidate.route }
    }
    case 'away':
      return { ...nothing, outcome: 'redirect', location: decision.location }
    case 'card':
      return { ...nothing, outcome: kind, page: kind }
    default: {
      const { page } = decision
      return { ...nothing, outcome: page === 'password' ? 'password' : 'page', page }
    }
  }
}

const MAX_TEXT = 512
const MAX_QUERY = 8_192
const MAX_LABEL = 80

/** What is left out is unknown, as on the edge. */
export const DescribedVisit = Type.Partial(
  Type.Object({
    userAgent: text('User agent of the visitor.', 'Mozilla/5.0 (iPhone)', { maxLength: MAX_TEXT }),
    country: text('ISO 3166-1 code of the country.', 'DE', { pattern: '^[A-Za-z]{2}$' }),
    region: text('Region, with its country.', 'DE-BE', { maxLength: MAX_LABEL }),
    city: text('City; no condition depends on it.', 'Berlin', { maxLength: MAX_LABEL }),
    language: text('A language, or an Accept-Language header.', 'de', { maxLength: 128 }),
    query: text('Query of the short URL.', 'source=app', { maxLength: MAX_QUERY }),
    at: described(Timestamp, 'Time of the visit; now by default.'),
    unlocked: flag('Whether the visitor has given the password.', false),
  }),
)
export type DescribedVisit = Static<typeof DescribedVisit>

export const LinkDraft = object(
  'LinkDraft',
  {
    ...CreateLink.properties,
    name: Type.Optional(CreateLink.properties.name),
    visit: Type.Optional(described(DescribedVisit, 'The visit; what is left out is unknown.')),
  },
  { examples: [{ destinationUrl: 'https://example.com/spring', visit: { country: 'DE' } }] },
)
export type LinkDraft = Static<typeof LinkDraft>

const Step = object('ExplainedStep', {
  step: text(
    'What was compared: `status`, the name of an option, `rule:<id>` or `destination`.',
    'destination',
  ),
  result: oneOf(
    ['answer', 'continue'],
    'Whether the step gave the answer, or left it to the next one.',
    'answer',
  ),
  detail: text('Why.', 'the destination of the link'),
  name: nullable(text('Name of the rule, or of the variant that is drawn.', 'Mobile visitors')),
  unmet: nullable(
    object(
      'UnmetCondition',
      {
        condition: oneOf(CONDITION_NAMES, 'Name of the condition.', 'country'),
        wanted: text('What the rule wants.', 'DE, AT'),
        found: text('What the visit has; empty: nothing.', 'US'),
      },
      { description: 'The first condition of the rule that the visit does not meet.' },
    ),
  ),
})

export const Explanation = object('LinkExplanation', {
  outcome: oneOf(
    ['redirect', 'page', 'password', 'card', 'interstitial'],
    'Kind of the answer.',
    'redirect',
  ),
  status: integer('Status of the answer.', 302),
  location: nullable(
    text(
      'Target of the redirect, or the app that the interstitial offers.',
      'https://example.com/spring',
    ),
  ),
  page: nullable(
    text(
      'Name of the page: `missing`, `pending`, `expired`, `exhausted`, `blocked`, `suspended`, `password`, `card` or `interstitial`.',
      'missing',
    ),
  ),
  route: nullable(
    text(
      'Which destination: `default`, `ios`, `android`, `rule:<id>` or `variant:<id>`; null for an answer that is no click.',
      'default',
    ),
  ),
  steps: described(Type.Array(Step), 'The steps up to the answer, in their order.'),
})
export type Explanation = Static<typeof Explanation>
