import { randomInt } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import type { Call } from '../call.ts'
import type { Context } from '../api.ts'
import type { Link } from '../../links/link/schema.ts'
import { findBySlug } from '../links.ts'
import { toDate, type Fields, type Output } from './output.ts'

const MAX_LIMIT = 100
const NEEDS_OBJECT = 'Need either XML or JSON format for stats'
const NOT_FOUND = 'Error: short URL not found'

const ORDERS: Readonly<Record<string, { sortBy: string; sortOrder: string }>> = {
  top: { sortBy: 'clicks', sortOrder: 'desc' },
  bottom: { sortBy: 'clicks', sortOrder: 'asc' },
  last: { sortBy: 'createdAt', sortOrder: 'desc' },
}

export async function expand(context: Context, of: Fields): Promise<Output> {
  const link = await findShort(context, of('shorturl'))
  if (!link)
    return {
      keyword: toKeyword(of('shorturl')),
      simple: 'not found',
      message: NOT_FOUND,
      errorCode: '404',
    }
  return {
    keyword: link.slug,
    shorturl: link.shortUrl,
    longurl: link.destinationUrl,
    title: link.name,
    simple: link.destinationUrl,
    message: 'success',
    statusCode: '200',
  }
}

export async function readStatsOf(context: Context, of: Fields): Promise<Output> {
  const link = await findShort(context, of('shorturl'))
  return link
    ? { statusCode: '200', message: 'success', link: show(link), simple: NEEDS_OBJECT }
    : { statusCode: '404', message: NOT_FOUND, simple: NEEDS_OBJECT }
}

export async function listStats({ call }: Context, of: Fields): Promise<Output> {
  const limit = Math.min(toCount(of('limit')), MAX_LIMIT)
  const links = limit === 0 ? null : await listBy(call, of('filter') ?? 'top', limit, of('start'))
  return {
    ...(links && {
      links: Object.fromEntries(links.map((link, i) => [`link_${i + 1}`, show(link)])),
    }),
    stats: await countAll(call),
    statusCode: '200',
    message: 'success',
    simple: NEEDS_OBJECT,
  }
}

export async function readTotals({ call }: Context): Promise<Output> {
  return {
    'db-stats': await countAll(call),
    statusCode: '200',
    message: 'success',
    simple: NEEDS_OBJECT,
  }
}

async function listBy(call: Call, filter: string, limit: number, start?: string): Promise<Link[]> {
  const list = async (query: Record<string, string | number>) => {
    const { data } = await call<Link[]>('GET', '/links', {
      query: { includeArchived: true, limit, ...query },
    })
    return data
  }
  if (filter !== 'rand' && filter !== 'random')
    return list({ ...(ORDERS[filter] ?? ORDERS.top!), offset: toCount(start) })
  const total = await countLinks(call)
  return list({ offset: randomInt(Math.max(total - limit, 0) + 1) })
}

async function countLinks(call: Call): Promise<number> {
  const { meta } = await call('GET', '/links', { query: { limit: 1, includeArchived: true } })
  return meta.total
}

async function countAll(call: Call) {
  const links = await countLinks(call)
  const { data } = await call<{ totalClicks: number }>('GET', '/analytics/overview', {
    query: { days: 1 },
  })
  return { total_links: String(links), total_clicks: String(data.totalClicks) }
}

/** By a keyword, on any domain, or by a whole short URL. */
async function findShort(
  { call, origin }: Context,
  text: string | undefined,
): Promise<Link | null> {
  const host = URL.parse(text ?? '')?.host
  try {
    return await findBySlug(call, toKeyword(text), host === new URL(origin).host ? undefined : host)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'NOT_FOUND') return null
    throw error
  }
}

function toKeyword(text = ''): string {
  const url = URL.parse(text)
  try {
    return url ? decodeURIComponent(url.pathname.slice(1)) : text
  } catch {
    return text
  }
}

function toCount(text = '0'): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function show(link: Link) {
  return {
    shorturl: link.shortUrl,
    url: link.destinationUrl,
    title: link.name,
    timestamp: toDate(link.createdAt),
    ip: '',
    clicks: String(link.clicks),
  }
}
