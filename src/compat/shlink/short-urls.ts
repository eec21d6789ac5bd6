import { ApiError } from '../../platform/core/errors.ts'
import type { Answered, Context, Row } from '../api.ts'
import { asText, listOf, textOf } from '../fields.ts'
import type { Link } from '../../links/link/schema.ts'
import { findBySlug } from '../links.ts'
import { listOfPage, readPage } from './pages.ts'
import { invalidData, noShortUrl, ofDomain, Problem } from './problem.ts'
import { hasFields, parseDate, toData, toFields, toShortUrl } from './short-url.ts'

const MAX_CANDIDATES = 100

const ORDERS: Readonly<Record<string, string>> = {
  dateCreated: 'createdAt',
  shortCode: 'slug',
  title: 'name',
  visits: 'clicks',
  nonBotVisits: 'clicks',
}

export const shortUrlRows = {
  'GET /rest/v3/short-urls': { handle: list },
  'POST /rest/v3/short-urls': { handle: create },
  'GET /rest/v3/short-urls/:shortCode': {
    handle: async (context) => ({ body: toShortUrl(await findShortUrl(context)) }),
  },
  'PATCH /rest/v3/short-urls/:shortCode': { handle: edit },
  'DELETE /rest/v3/short-urls/:shortCode': { handle: remove },
} as const satisfies Record<string, Row>

/** By the short code in the path and the domain in the query. @throws Problem */
export async function findShortUrl({ call, params, query }: Context): Promise<Link> {
  const [shortCode = '', domain] = [params.shortCode, textOf(query, 'domain')]
  try {
    return await findBySlug(call, shortCode, domain === 'DEFAULT' ? undefined : domain)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') throw noShortUrl(shortCode, domain)
    throw error
  }
}

async function list({ call, query, origin }: Context): Promise<Answered> {
  const page = readPage(query, 10)
  const isTrue = (name: string) => textOf(query, name) === 'true'
  const [field = '', direction = ''] = (textOf(query, 'orderBy') ?? 'dateCreated-DESC').split('-')
  const sortBy = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined
  if (sortBy === undefined) throw invalidData('This server has no such order.', 'orderBy')
  const tags = listOf(query, 'tags')
  refuseUnknownFilters(query, tags)
  const tagsMode = textOf(query, 'tagsMode') === 'all' ? 'all' : 'any'
  const domain = textOf(query, 'domain')
  const [startDate, endDate] = [textOf(query, 'startDate'), textOf(query, 'endDate')]
  const { data, meta } = await call<Link[]>('GET', '/links', {
    query: {
      ...page.slice,
      ...{ sortBy, sortOrder: direction === 'ASC' ? 'asc' : 'desc', includeArchived: true },
      search: textOf(query, 'searchTerm'),
      domain: domain === 'DEFAULT' ? new URL(origin).host : domain,
      ...(tags.length > 0 && { tags: tags.join(','), tagsMode }),
      createdFrom: startDate && parseDate(startDate, 'startDate'),
      createdTo: endDate && parseDate(endDate, 'endDate'),
      status:
        isTrue('excludeMaxVisitsReached') || isTrue('excludePastValidUntil') ? 'active' : undefined,
    },
  })
  return { body: { shortUrls: listOfPage(data.map(toShortUrl), page, meta.total) } }
}

function refuseUnknownFilters(query: Context['query'], tags: readonly string[]): void {
  if (listOf(query, 'excludeTags').length > 0)
    throw invalidData('This server cannot leave out links by their tags.', 'excludeTags')
  if (tags.some((tag) => tag.includes(','))) throw invalidData('A tag cannot hold a comma.', 'tags')
}

async function create({ call, body }: Context): Promise<Answered> {
  const data = toData(body)
  const { longUrl, customSlug, domain, findIfExists } = data
  if (data.pathPrefix !== undefined && customSlug === undefined)
    throw invalidData('pathPrefix needs a customSlug on this server.', 'pathPrefix')
  if (findIfExists === true && typeof longUrl === 'string') {
    const found = await findExisting(call, data)
    if (found) return { body: toShortUrl(found) }
  }
  try {
    const { data: link } = await call<Link>('POST', '/links', {
      body: {
        ...toFields({ ...data, title: data.title ?? null }),
        ...(typeof customSlug === 'string' && {
          slug: `${typeof data.pathPrefix === 'string' ? data.pathPrefix : ''}${customSlug}`,
        }),
        ...(domain !== undefined && { domain }),
      },
    })
    return { body: toShortUrl(link) }
  } catch (error) {
    throw asTaken(error, customSlug, domain)
  }
}

async function findExisting(call: Context['call'], data: ReturnType<typeof toData>) {
  const { data: links } = await call<Link[]>('GET', '/links', {
    query: {
      destinationUrl: String(data.longUrl),
      includeArchived: true,
      limit: MAX_CANDIDATES,
    },
  })
  return links.find((link) => hasFields(link, data))
}

function asTaken(error: unknown, customSlug: unknown, domain: unknown): unknown {
  if (!(error instanceof ApiError) || error.code !== 'CONFLICT') return error
  return new Problem(
    'VALIDATION_ERROR',
    ['non-unique-slug', 'Invalid custom slug'],
    `Provided slug "${asText(customSlug)}" is already in use${ofDomain(domain)}.`,
    { customSlug, ...(typeof domain === 'string' && { domain }) },
  )
}

async function edit(context: Context): Promise<Answered> {
  const data = toData(context.body)
  const { id, destinationUrl } = await findShortUrl(context)
  const { data: link } = await context.call<Link>('PATCH', '/links/:id', {
    params: { id },
    body: toFields(data, data.longUrl ?? destinationUrl),
  })
  return { body: toShortUrl(link) }
}

async function remove(context: Context): Promise<Answered> {
  const { id } = await findShortUrl(context)
  await context.call('DELETE', '/links/:id', { params: { id } })
  return { status: 204 }
}
