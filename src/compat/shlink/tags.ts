import type { Link } from '../../links/link/schema.ts'
import type { Tag } from '../../links/tags/schema.ts'
import { invalid } from '../../platform/core/errors.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { orNull } from '../call.ts'
import { listOf, textOf, toObject } from '../fields.ts'
import { listAll } from '../lookups.ts'
import { toPage } from './pages.ts'
import { problem } from './problem.ts'
import { toSummary } from './short-url.ts'

const MAX_DELETED = 20

export const tagRows: Rows = {
  'GET /v3/tags': async (context) => show((await list(context)).map(({ name }) => name)),
  'GET /v3/tags/stats': listStats,
  'PUT /v3/tags': rename,
  'DELETE /v3/tags': async ({ call, query }) => {
    const tags = listOf(query, 'tags')
    if (tags.length > MAX_DELETED)
      throw invalid('tags', `Delete at most ${MAX_DELETED} tags at a time.`)
    for (const name of tags) await orNull(call('DELETE', '/tags/:name', { params: { name } }))
    return { status: 204 }
  },
}

/** Clients know no pages of tags. */
function show(tags: readonly unknown[]): Answered {
  const page = { number: 1, slice: { limit: Math.max(tags.length, 1), offset: 0 } }
  return { body: { tags: toPage(tags, tags.length, page) } }
}

async function list({ call, query }: Context): Promise<Tag[]> {
  return listAll<Tag>(call, '/tags', { search: textOf(query, 'searchTerm') })
}

/** Adds up the clicks of the thousand links with the most. */
async function listStats(context: Context): Promise<Answered> {
  const tags = await list(context)
  const byClicks = { sortBy: 'clicks', includeArchived: true }
  const clicks = new Map<string, number>()
  for (const link of await listAll<Link>(context.call, '/links', byClicks))
    for (const tag of link.tags) clicks.set(tag, (clicks.get(tag) ?? 0) + link.clicks)
  const stats = tags.map(({ name, links }) => {
    return { tag: name, shortUrlsCount: links, visitsSummary: toSummary(clicks.get(name) ?? 0) }
  })
  return show(stats)
}

async function rename({ call, body }: Context): Promise<Answered> {
  const { oldName, newName } = toObject(body)
  if (typeof oldName !== 'string') throw invalid('oldName', 'oldName is required.')
  if (typeof newName !== 'string') throw invalid('newName', 'newName is required.')
  // Renaming to another tag would make one of the two.
  const others = await listAll<Tag>(call, '/tags', { search: newName })
  if (oldName !== newName && others.some(({ name }) => name === newName))
    throw problem(
      'CONFLICT',
      { type: 'tag-conflict', title: 'Tag conflict', oldName, newName },
      `You cannot rename tag ${oldName} to ${newName}, because it already exists`,
    )
  const names = { params: { name: oldName }, body: { name: newName } }
  if (!(await orNull(call('PATCH', '/tags/:name', names))))
    throw problem(
      'NOT_FOUND',
      { type: 'tag-not-found', title: 'Tag not found', tag: oldName },
      `Tag with name "${oldName}" could not be found`,
    )
  return { status: 204 }
}
