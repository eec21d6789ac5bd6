import type { Domain } from '../../domains/domains/schema.ts'
import type { Link } from '../../links/link/schema.ts'
import { invalid, type ApiError } from '../../platform/core/errors.ts'
import type { Answered, Asked, CompatApi, Context } from '../api.ts'
import { textOf } from '../fields.ts'
import { readStats } from './stats.ts'

const PREFIX = '/api/v2'

export const kutt: CompatApi = {
  name: 'Kutt',
  rows: {
    [`GET ${PREFIX}/health`]: { isPublic: true, handle: () => ({ type: 'text/html', body: 'OK' }) },
    [`GET ${PREFIX}/links`]: { handle: list },
    [`POST ${PREFIX}/links`]: { handle: create },
    [`PATCH ${PREFIX}/links/:id`]: { handle: edit },
    [`DELETE ${PREFIX}/links/:id`]: { handle: remove },
    [`GET ${PREFIX}/links/:id/stats`]: { handle: stats },
    [`POST ${PREFIX}/domains`]: { handle: addDomain },
    [`DELETE ${PREFIX}/domains/:id`]: { handle: removeDomain },
    [`GET ${PREFIX}/users`]: { handle: readUser },
  },
  unknownBelow: PREFIX,
  takesForms: true,
  findKey: ({ headers }) => textOf(headers, 'x-api-key') ?? null,
  toError,
}

const TAKEN = 'Custom URL is already in use.'
/** Fields whose names differ, as messages begin with them. */
const NAMES: Readonly<Record<string, string>> = {
  destinationUrl: 'target',
  slug: 'customurl',
  hostname: 'address',
}

/** Kutt answers a wrong field and a taken address alike. */
function toError({ code, status, message, details }: ApiError): Answered {
  const isTaken = code === 'CONFLICT' && Array.isArray(details) && details[0]?.path === 'slug'
  return {
    status: code === 'CONFLICT' ? 400 : status,
    body: { error: isTaken ? TAKEN : message.replace(/^\w+/, (word) => NAMES[word] ?? word) },
  }
}

function showLink(link: Link) {
  return {
    id: link.id,
    address: link.slug,
    target: link.destinationUrl,
    link: link.shortUrl,
    domain: link.domain,
    description: link.name,
    password: link.password !== null,
    expire_in: link.expiresAt,
    banned: link.status === 'blocked',
    visit_count: link.clicks,
    created_at: link.createdAt,
    updated_at: link.updatedAt,
  }
}

async function list({ query, call }: Context): Promise<Answered> {
  const { data, meta } = await call<Link[]>('GET', '/links', {
    query: {
      limit: textOf(query, 'limit') ?? 10,
      offset: textOf(query, 'skip') ?? 0,
      search: textOf(query, 'search'),
    },
  })
  const { total, limit, offset: skip } = meta
  return { body: { total, limit, skip, data: data.map(showLink) } }
}

async function create({ body, call }: Context): Promise<Answered> {
  const fields = toFields(body)
  const { destinationUrl, domain } = fields
  const isReused = String((body as Asked['query'] | null)?.['reuse']) === 'true'
  if (isReused && destinationUrl !== undefined) {
    const query = { destinationUrl, domain, sortOrder: 'asc', limit: 1 }
    const { data } = await call<Link[]>('GET', '/links', { query })
    if (data[0]) return { body: showLink(data[0]) }
  }
  const name = fields.name ?? toName(destinationUrl ?? 'Link')
  const { data } = await call<Link>('POST', '/links', { body: { ...fields, name } })
  return { status: 201, body: showLink(data) }
}

const NAME_MAX_CHARS = 255
const toName = (text: string) => text.slice(0, NAME_MAX_CHARS).toWellFormed()
/** As Kutt reads an address without a scheme. */
const SCHEME = /^(\w+:|\/\/)/

/** A field that is missing, null or empty changes nothing, as at Kutt. */
function toFields(body: unknown) {
  const of = (name: string) => textOf(body, name)
  const target = of('target')?.trim()
  return {
    destinationUrl: target && (SCHEME.test(target) ? target : `http://${target}`),
    slug: of('customurl') ?? of('address'),
    name: toName(of('description') ?? '') || undefined,
    password: of('password'),
    domain: of('domain'),
    expiresAt: toExpiry(of('expire_in')),
  }
}

const SECOND_MS = 1_000
const UNITS_MS: Readonly<Record<string, number>> = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3_600 * SECOND_MS,
  d: 86_400 * SECOND_MS,
  w: 7 * 86_400 * SECOND_MS,
  y: 365.25 * 86_400 * SECOND_MS,
}
const SPAN =
  /^(\d{1,6}(?:\.\d{1,6})?) *(s|m|h|d|w|y|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|yrs?|years?)$/i

/** `2 minutes`, `8h`, or a time, as answers have it. */
function toExpiry(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = SPAN.exec(text.trim()) ?? []
  const time =
    unit === undefined
      ? Date.parse(text)
      : Date.now() + Number(count) * UNITS_MS[unit[0]!.toLowerCase()]!
  if (Math.abs(time) < MAX_TIME_MS) return new Date(time).toISOString()
  throw invalid('expire_in', 'Expire format is invalid. Valid examples: 1m, 8h, 42 days.')
}

const MAX_TIME_MS = Date.parse('9999-12-31T00:00:00Z')

async function edit({ params, body, call }: Context): Promise<Answered> {
  const { data } = await call<Link>('PATCH', '/links/:id', { params, body: toFields(body) })
  return { body: showLink(data) }
}

async function remove({ params, call }: Context): Promise<Answered> {
  await call('DELETE', '/links/:id', { params })
  return { body: { message: 'Link has been deleted successfully.' } }
}

async function stats({ params, call }: Context): Promise<Answered> {
  const { data } = await call<Link>('GET', '/links/:id', { params })
  return { body: { ...(await readStats(call, data.id)), ...showLink(data) } }
}

function showDomain({ id, hostname, rootRedirectUrl, createdAt, updatedAt }: Domain) {
  return {
    id,
    address: hostname,
    banned: false,
    homepage: rootRedirectUrl,
    created_at: createdAt,
    updated_at: updatedAt,
  }
}

async function addDomain({ body, call }: Context): Promise<Answered> {
  const { data } = await call<Domain>('POST', '/domains', {
    body: { hostname: textOf(body, 'address'), rootRedirectUrl: textOf(body, 'homepage') },
  })
  return { body: showDomain(data) }
}

async function removeDomain({ params, call }: Context): Promise<Answered> {
  await call('DELETE', '/domains/:id', { params })
  return { body: { message: 'Domain has been deleted successfully' } }
}

/** A key is shown once, when it is made, and belongs to a workspace: neither it nor an address is answered. */
async function readUser({ call }: Context): Promise<Answered> {
  const { data } = await call<Domain[]>('GET', '/domains', { query: { limit: 100 } })
  return { body: { apikey: '', email: '', domains: data.map(showDomain) } }
}
