import type { Domain } from '../../domains/domains/schema.ts'
import type { Link } from '../../links/link/schema.ts'
import { invalid, type ApiError } from '../../platform/core/errors.ts'
import type { Answered, CompatApi, Context } from '../api.ts'
import { inWords, textOf, toName } from '../fields.ts'
import { listByDestination } from '../lookups.ts'
import { readStats } from './stats.ts'

export const kutt: CompatApi = {
  name: 'Kutt',
  prefix: '/api/v2',
  publicRows: { 'GET /health': () => ({ type: 'text/html', body: 'OK' }) },
  rows: {
    'GET /links': list,
    'POST /links': create,
    'PATCH /links/:id': async ({ params, body, call }) => {
      const { data } = await call<Link>('PATCH', '/links/:id', { params, body: toFields(body) })
      return { body: showLink(data) }
    },
    'DELETE /links/:id': async ({ params, call }) => {
      await call('DELETE', '/links/:id', { params })
      return { body: { message: 'Link has been deleted successfully.' } }
    },
    'GET /links/:id/stats': async ({ params, call }) => {
      const { data } = await call<Link>('GET', '/links/:id', { params })
      return { body: { ...(await readStats(call, data.id)), ...showLink(data) } }
    },
    'POST /domains': async ({ body, call }) => {
      const domain = {
        hostname: textOf(body, 'address'),
        rootRedirectUrl: textOf(body, 'homepage'),
      }
      return { body: showDomain((await call<Domain>('POST', '/domains', { body: domain })).data) }
    },
    'DELETE /domains/:id': async ({ params, call }) => {
      await call('DELETE', '/domains/:id', { params })
      return { body: { message: 'Domain has been deleted successfully' } }
    },
    /** A key is shown once, when it is made, and belongs to a workspace: neither it nor an address is answered. */
    'GET /users': async ({ call }) => {
      const { data } = await call<Domain[]>('GET', '/domains', { query: { limit: 100 } })
      return { body: { apikey: '', email: '', domains: data.map(showDomain) } }
    },
  },
  takesForms: true,
  findKey: ({ headers }) => textOf(headers, 'x-api-key') ?? null,
  toError,
}

const TAKEN = 'Custom URL is already in use.'
const NAMES = { destinationUrl: 'target', slug: 'customurl', hostname: 'address' }

/** Kutt answers a wrong field and a taken address alike. */
function toError({ code, status, message, details }: ApiError): Answered {
  const isTaken = code === 'CONFLICT' && Array.isArray(details) && details[0]?.path === 'slug'
  return {
    status: code === 'CONFLICT' ? 400 : status,
    body: { error: isTaken ? TAKEN : inWords(NAMES, message) },
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
  if (textOf(body, 'reuse') === 'true' && destinationUrl !== undefined) {
    const shown = { domain, includeArchived: false, limit: 1 }
    const [known] = await listByDestination(call, destinationUrl, shown)
    if (known) return { body: showLink(known) }
  }
  const link = { ...fields, name: fields.name ?? toName('', destinationUrl) }
  return { status: 201, body: showLink((await call<Link>('POST', '/links', { body: link })).data) }
}

/** As Kutt reads an address without a scheme. */
const SCHEME = /^(\w+:|\/\/)/

/** A field that is missing, null or empty changes nothing, as at Kutt. */
function toFields(body: unknown) {
  const of = (name: string) => textOf(body, name)
  const target = of('target')?.trim()
  const description = of('description')
  return {
    destinationUrl: target && (SCHEME.test(target) ? target : `http://${target}`),
    slug: of('customurl') ?? of('address'),
    name: description && toName(description, ''),
    password: of('password'),
    domain: of('domain'),
    expiresAt: toExpiry(of('expire_in')),
  }
}

const SECONDS: Readonly<Record<string, number>> = {
  ...{ s: 1, m: 60, h: 3_600, d: 86_400, w: 604_800, y: 31_557_600 },
}
const SPAN =
  /^(\d{1,5}(?:\.\d{1,6})?) *(s|m|h|d|w|y|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|weeks?|yrs?|years?)$/i

/** `2 minutes`, `8h`, or a time, as answers have it. */
function toExpiry(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const [, count, unit] = SPAN.exec(text.trim()) ?? []
  const time = unit
    ? Date.now() + Number(count) * SECONDS[unit[0]!.toLowerCase()]! * 1_000
    : Date.parse(text)
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw invalid('expire_in', 'Expire format is invalid. Valid examples: 1m, 8h, 42 days.')
}
