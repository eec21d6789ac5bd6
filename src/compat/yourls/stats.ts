import { randomInt } from 'node:crypto'
import { orNull, type Call, type Given } from '../call.ts'
import type { Context } from '../api.ts'
import type { Link } from '../../links/link/schema.ts'
import { findBySlug, slugOf } from '../lookups.ts'
import { showLink, SUCCESS, toDate, type Get, type Output } from './output.ts'

const MAX_LIMIT = 100
const NEEDS_OBJECT = { simple: 'Need either XML or JSON format for stats' }
const NOT_FOUND = 'Error: short URL not found'

const ORDERS: Readonly<Record<string, Given['query']>> = {
  top: { sortBy: 'clicks', sortOrder: 'desc' },
  bottom: { sortBy: 'clicks', sortOrder: 'asc' },
  last: { sortBy: 'createdAt', sortOrder: 'desc' },
}

export async function expand({ call }: Context, of: Get): Promise<Output> {
  const text = of('shorturl')
  const link = await findShort(call, text)
  if (!link)
    return {
      keyword: toKeyword(text),
      simple: 'not found',
      message: NOT_FOUND,
      errorCode: '404',
    }
  const { slug: keyword, shortUrl: shorturl, destinationUrl: longurl, name: title } = link
  return { keyword, shorturl, longurl, title, simple: longurl, ...SUCCESS }
}

export async function readStatsOf({ call }: Context, of: Get): Promise<Output> {
  const link = await findShort(call, of('shorturl'))
  return link
    ? { ...SUCCESS, link: show(link), ...NEEDS_OBJECT }
    : { statusCode: '404', message: NOT_FOUND, ...NEEDS_OBJECT }
}

export async function listStats({ call }: Context, of: Get): Promise<Output> {
  const limit = Math.min(toCount(of('limit')), MAX_LIMIT)
  const links = limit === 0 ? null : await listBy(call, of('filter') ?? 'top', limit, of('start'))
  return {
    ...(links && {
      links: Object.fromEntries(links.map((link, i) => [`link_${i + 1}`, show(link)])),
    }),
    stats: await countAll(call),
    ...SUCCESS,
    ...NEEDS_OBJECT,
  }
}

export async function readTotals({ call }: Context): Promise<Output> {
  return { 'db-stats': await countAll(call), ...SUCCESS, ...NEEDS_OBJECT }
}

async function listBy(call: Call, filter: string, limit: number, start?: string): Promise<Link[]> {
  const place = /^rand(om)?$/.test(filter)
    ? { offset: randomInt(Math.max((await countLinks(call)) - limit, 0) + 1) }
    : { offset: toCount(start), ...(ORDERS[filter] ?? ORDERS['top']) }
  const query = { includeArchived: true, limit, ...place }
  return (await call<Link[]>('GET', '/links', { query })).data
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
async function findShort(call: Call, text = ''): Promise<Link | null> {
  return orNull(findBySlug(call, toKeyword(text), URL.parse(text)?.host))
}

function toKeyword(text = ''): string {
  const url = URL.parse(text)
  return url ? slugOf(url) : text
}

function toCount(text = '0'): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : 0
}

function show(link: Link) {
  return { shorturl: link.shortUrl, timestamp: toDate(link.createdAt), ...showLink(link) }
}
