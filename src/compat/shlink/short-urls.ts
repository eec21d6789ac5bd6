import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { orNull } from '../call.ts'
import { asText, listOf, textOf, toObject } from '../fields.ts'
import type { Link } from '../../links/link/schema.ts'
import { findBySlug, listByDestination } from '../lookups.ts'
import { readPage, toPage } from './pages.ts'
import { problem } from './problem.ts'
import { hasFields, parseDate, toFields, toShortUrl } from './short-url.ts'

const ORDERS: Readonly<Record<string, string>> = {
  dateCreated: 'createdAt',
  shortCode: 'slug',
  title: 'name',
  visits: 'clicks',
  nonBotVisits: 'clicks',
}

export const shortUrlRows: Rows = {
  'GET /v3/short-urls': list,
  'POST /v3/short-urls': create,
  'GET /v3/short-urls/:shortCode': async (context) => show(await findShortUrl(context)),
  'PATCH /v3/short-urls/:shortCode': async (context) => {
    const data = toObject(context.body)
    const { id, destinationUrl } = await findShortUrl(context)
    const given = { params: { id }, body: toFields(data, data['longUrl'] ?? destinationUrl) }
    return show((await context.call<Link>('PATCH', '/links/:id', given)).data)
  },
  'DELETE /v3/short-urls/:shortCode': async (context) => {
    const { id } = await findShortUrl(context)
    await context.call('DELETE', '/links/:id', { params: { id } })
    return { status: 204 }
  },
}

function show(link: Link): Answered {
  return { body: toShortUrl(link) }
}

/** By the short code in the path and the domain in the query. @throws ApiError */
export async function findShortUrl({ call, params, query }: Context): Promise<Link> {
  const [shortCode, domain] = [params['shortCode']!, textOf(query, 'domain')]
  const host = domain === 'DEFAULT' ? undefined : domain
  const found = await orNull(findBySlug(call, shortCode, host))
  if (found) return found
  throw problem(
    'NOT_FOUND',
    { type: 'short-url-not-found', title: 'Short URL not found', shortCode, domain },
    `No URL found with short code "${shortCode}"${ofDomain(domain)}`,
  )
}

async function list({ call, query, origin }: Context): Promise<Answered> {
  const page = readPage(query, 10)
  const [field = '', direction = ''] = (textOf(query, 'orderBy') ?? 'dateCreated-DESC').split('-')
  const sortBy = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined
  if (sortBy === undefined) throw invalid('orderBy', 'This server has no such order.')
  if (listOf(query, 'excludeTags').length > 0)
    throw invalid('excludeTags', 'This server cannot leave out links by their tags.')
  const tags = listOf(query, 'tags')
  if (tags.some((tag) => tag.includes(','))) throw invalid('tags', 'A tag cannot hold a comma.')
  const domain = textOf(query, 'domain')
  const [startDate, endDate] = [textOf(query, 'startDate'), textOf(query, 'endDate')]
  const isOver = ['excludeMaxVisitsReached', 'excludePastValidUntil']
  const { data, meta } = await call<Link[]>('GET', '/links', {
    query: {
      ...page.slice,
      ...{ sortBy, sortOrder: direction === 'ASC' ? 'asc' : 'desc', includeArchived: true },
      search: textOf(query, 'searchTerm'),
      domain: domain === 'DEFAULT' ? new URL(origin).host : domain,
      ...(tags.length > 0 && { tags: tags.join(), tagsMode: textOf(query, 'tagsMode') }),
      createdFrom: startDate && parseDate(startDate, 'startDate'),
      createdTo: endDate && parseDate(endDate, 'endDate'),
      status: isOver.some((name) => textOf(query, name) === 'true') ? 'active' : undefined,
    },
  })
  return { body: { shortUrls: toPage(data.map(toShortUrl), meta.total, page) } }
}

async function create({ call, body }: Context): Promise<Answered> {
  const data = toObject(body)
  const { longUrl, customSlug, domain, pathPrefix, title = null } = data
  if (pathPrefix !== undefined && customSlug === undefined)
    throw invalid('pathPrefix', 'pathPrefix needs a customSlug on this server.')
  if (data['findIfExists'] === true) {
    const known = await listByDestination(call, asText(longUrl), { sortOrder: 'desc' })
    const found = known.find((link) => hasFields(link, data))
    if (found) return show(found)
  }
  const slug = `${asText(pathPrefix)}${asText(customSlug)}` || undefined
  try {
    const link = { ...toFields({ ...data, title }), slug, domain }
    return show((await call<Link>('POST', '/links', { body: link })).data)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error
    throw problem(
      'VALIDATION_ERROR',
      { type: 'non-unique-slug', title: 'Invalid custom slug', customSlug, domain },
      `Provided slug "${asText(customSlug)}" is already in use${ofDomain(domain)}.`,
    )
  }
}

function ofDomain(domain: unknown): string {
  return typeof domain === 'string' ? ` for domain "${domain}"` : ''
}
