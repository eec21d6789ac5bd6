import { ApiError } from '../../platform/core/errors.ts'
import type { Answered, Context, Row } from '../api.ts'
import { listOf, textOf } from '../fields.ts'
import type { Link } from '../../links/link/schema.ts'
import { listAll } from '../lists.ts'
import { listOfPage, readPage } from './pages.ts'
import { invalidData, Problem } from './problem.ts'
import { toData, toSummary } from './short-url.ts'

type Tag = { name: string; links: number }
type Stats = { tag: string; shortUrlsCount: number; visitsSummary: ReturnType<typeof toSummary> }

const MAX_DELETED = 20

const ORDERS: Readonly<Record<string, (stats: Stats) => number>> = {
  shortUrlsCount: ({ shortUrlsCount }) => shortUrlsCount,
  visits: ({ visitsSummary }) => visitsSummary.total,
  nonBotVisits: ({ visitsSummary }) => visitsSummary.nonBots,
}

export const tagRows = {
  'GET /rest/v3/tags': { handle: list },
  'GET /rest/v3/tags/stats': { handle: listStats },
  'PUT /rest/v3/tags': { handle: rename },
  'DELETE /rest/v3/tags': { handle: remove },
} as const satisfies Record<string, Row>

async function list({ call, query }: Context): Promise<Answered> {
  const tags = await listNamed(call, query)
  return toPage(
    tags.map(({ name }) => name),
    query,
  )
}

/** Adds up the clicks of the thousand links with the most. */
async function listStats({ call, query }: Context): Promise<Answered> {
  const tags = await listNamed(call, query)
  const byClicks = { sortBy: 'clicks', includeArchived: true }
  const clicks = new Map<string, number>()
  for (const link of await listAll<Link>(call, '/links', byClicks))
    for (const tag of link.tags) clicks.set(tag, (clicks.get(tag) ?? 0) + link.clicks)
  const stats = tags.map(({ name, links }) => ({
    tag: name,
    shortUrlsCount: links,
    visitsSummary: toSummary(clicks.get(name) ?? 0),
  }))
  const [field = '', direction] = (textOf(query, 'orderBy') ?? '').split('-')
  const countOf = Object.hasOwn(ORDERS, field) ? ORDERS[field] : undefined
  if (countOf) stats.sort((a, b) => countOf(a) - countOf(b))
  if (countOf && direction === 'DESC') stats.reverse()
  return toPage(stats, query)
}

function listNamed(call: Context['call'], query: Context['query']): Promise<Tag[]> {
  const search = textOf(query, 'searchTerm')
  const sortOrder = textOf(query, 'orderBy') === 'tag-DESC' ? 'desc' : 'asc'
  return listAll<Tag>(call, '/tags', { sortOrder, ...(search && { search }) })
}

/** All of them, unless the client asks for a page. */
function toPage(items: readonly unknown[], query: Context['query']): Answered {
  if (textOf(query, 'page') === undefined && textOf(query, 'itemsPerPage') === undefined) {
    const slice = { limit: Math.max(items.length, 1), offset: 0 }
    return { body: { tags: listOfPage(items, { number: 1, slice }, items.length) } }
  }
  const page = readPage(query)
  const { offset, limit } = page.slice
  return {
    body: { tags: listOfPage(items.slice(offset, offset + limit), page, items.length) },
  }
}

async function rename({ call, body }: Context): Promise<Answered> {
  const { oldName, newName } = toData(body)
  if (typeof oldName !== 'string' || typeof newName !== 'string')
    throw invalidData('oldName and newName are required.', 'oldName', 'newName')
  // Renaming to another tag would make one of the two.
  const others = await listAll<Tag>(call, '/tags', { search: newName })
  if (oldName !== newName && others.some(({ name }) => name === newName))
    throw new Problem(
      'CONFLICT',
      ['tag-conflict', 'Tag conflict'],
      `You cannot rename tag ${oldName} to ${newName}, because it already exists`,
      { oldName, newName },
    )
  try {
    await call('PATCH', '/tags/:name', { params: { name: oldName }, body: { name: newName } })
  } catch (error) {
    if (!isMissing(error)) throw error
    throw new Problem(
      'NOT_FOUND',
      ['tag-not-found', 'Tag not found'],
      `Tag with name "${oldName}" could not be found`,
      { tag: oldName },
    )
  }
  return { status: 204 }
}

async function remove({ call, query }: Context): Promise<Answered> {
  const tags = listOf(query, 'tags')
  if (tags.length > MAX_DELETED)
    throw invalidData(`Delete at most ${MAX_DELETED} tags at a time.`, 'tags')
  for (const name of tags)
    try {
      await call('DELETE', '/tags/:name', { params: { name } })
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  return { status: 204 }
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'NOT_FOUND'
}
