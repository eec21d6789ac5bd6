import type { Static } from 'typebox'
import type { Link } from '../../links/link/schema.ts'
import type { BulkRow, LinkCounts } from '../../links/write/bulk-schema.ts'
import { ApiError, invalid, type ErrorCode } from '../../platform/core/errors.ts'
import type { Answered, Context, Rows } from '../api.ts'
import { textOf, toObject, type Fields } from '../fields.ts'
import { findBySlug } from '../lookups.ts'
import { codeOf } from './errors.ts'
import { refuse, toList, toSlice } from './fields.ts'
import { fromDub, fromNew, toDub } from './link.ts'

type Row = Static<typeof BulkRow>

/** As Dub's. */
const MAX_BULK = 100
/** Before the id of a link in the client's own system. */
export const OWN_ID = /^ext_/

export const linkRows: Rows = {
  'GET /links': list,
  'GET /links/count': count,
  'GET /links/info': async (context) => show(context, await findNamed(context)),
  'POST /links': async (context) => {
    const body = fromNew(context.body)
    return show(context, (await context.call<Link>('POST', '/links', { body })).data)
  },
  'PUT /links/upsert': async (context) => {
    const body = fromNew(context.body)
    return show(context, (await context.call<Link>('PUT', '/links/upsert', { body })).data)
  },
  'PATCH /links/:id': async (context) => {
    const before = await find(context.call, context.params['id']!)
    const changes = { params: { id: before.id }, body: fromDub(context.body, before) }
    return show(context, (await context.call<Link>('PATCH', '/links/:id', changes)).data)
  },
  'DELETE /links/:id': async ({ call, params }) => {
    const named = params['id']!
    const id = OWN_ID.test(named) ? (await find(call, named)).id : named
    await call('DELETE', '/links/:id', { params: { id } })
    return { body: { id } }
  },
  'POST /links/bulk': createMany,
  'PATCH /links/bulk': updateMany,
  'DELETE /links/bulk': async (context) => {
    const rows = await inBulk(context, 'DELETE', toList('linkIds', context.query['linkIds']))
    return { body: { deletedCount: rows.length } }
  },
}

function show({ origin }: Context, link: Link): Answered {
  return { body: toDub(link, origin) }
}

async function list(context: Context): Promise<Answered> {
  const { query } = context
  refuse(query, 'startingAfter', 'endingBefore')
  const sort = textOf(query, 'sortBy')
  const { data } = await context.call<Link[]>('GET', '/links', {
    query: {
      ...toFilters(query),
      ...toSlice(query),
      sortBy: sort === 'lastClicked' ? 'lastClickedAt' : sort,
      sortOrder: textOf(query, 'sortOrder'),
    },
  })
  return { body: data.map((link) => toDub(link, context.origin)) }
}

async function count({ query, call }: Context): Promise<Answered> {
  refuse(query, 'groupBy')
  const { data } = await call<Static<typeof LinkCounts>>('GET', '/links/count', {
    query: toFilters(query),
  })
  return { body: data.total }
}

function toFilters(query: Context['query']) {
  refuse(query, 'userId', 'tenantId', 'withTags')
  const tags = ['tagNames', 'tagIds', 'tagId'].flatMap((name) => toList(name, query[name]))
  return {
    domain: textOf(query, 'domain'),
    folderId: textOf(query, 'folderId'),
    search: textOf(query, 'search'),
    tags: tags.length === 0 ? undefined : tags.join(),
    includeArchived: textOf(query, 'showArchived') === 'true',
  }
}

/** The link that the query names by its id, the client's own id, or domain and key. */
export async function findNamed({ call, query }: Context): Promise<Link> {
  const [id, ownId, key] = ['linkId', 'externalId', 'key'].map((name) => textOf(query, name))
  if (id !== undefined) return find(call, id)
  if (ownId !== undefined) return find(call, `ext_${toOwn(ownId)}`)
  if (key === undefined) throw invalid('linkId', 'Send linkId, externalId, or domain and key.')
  return findBySlug(call, key, textOf(query, 'domain'))
}

/** @throws ApiError NOT_FOUND */
async function find(call: Context['call'], id: string): Promise<Link> {
  if (!OWN_ID.test(id)) return (await call<Link>('GET', '/links/:id', { params: { id } })).data
  const query = { externalId: toOwn(id), includeArchived: true }
  const { data } = await call<Link[]>('GET', '/links', { query })
  if (!data[0]) throw new ApiError('NOT_FOUND', 'There is no link with this externalId.')
  return data[0]
}

const toOwn = (id: string) => id.replace(OWN_ID, '')

async function createMany(context: Context): Promise<Answered> {
  const { body, call } = context
  if (!Array.isArray(body)) throw invalid('', 'The body must be a list of links.')
  refuseMany(body)
  const { data } = await call<Row[]>('POST', '/links/bulk', { body: { links: body.map(fromNew) } })
  const made = await readLinks(context, data)
  return {
    body: data.map(({ id, error }, at) =>
      error
        ? { link: body[at], error: error.message, code: codeOf(error.code as ErrorCode) }
        : made.get(id!),
    ),
  }
}

async function updateMany(context: Context): Promise<Answered> {
  const { linkIds, externalIds, data: changes } = toObject(context.body)
  const data = fromDub(toObject(changes, 'data'), null)
  if (data['metadata']) throw invalid('data', 'comments and tenantId are changed link by link.')
  const named = [
    ...toList('linkIds', linkIds),
    ...toList('externalIds', externalIds).map((id) => `ext_${toOwn(id)}`),
  ]
  const changed = await readLinks(context, await inBulk(context, 'PATCH', named, { data }))
  return { body: [...changed.values()] }
}

/** @throws ApiError of the first link if all fail */
async function inBulk(
  { call }: Context,
  method: 'PATCH' | 'DELETE',
  named: readonly string[],
  more: Fields = {},
): Promise<Row[]> {
  refuseMany(named)
  const ids = named.filter((id) => !OWN_ID.test(id))
  const externalIds = named.filter((id) => OWN_ID.test(id)).map(toOwn)
  const rows: Row[] = []
  for (const names of [{ ids }, { externalIds }])
    if (Object.values(names).flat().length > 0)
      rows.push(...(await call<Row[]>(method, '/links/bulk', { body: { ...names, ...more } })).data)
  const done = rows.filter(({ error }) => error === null)
  const error = rows[0]?.error
  if (error && done.length === 0)
    throw new ApiError(error.code as ErrorCode, error.message, error.details as ApiError['details'])
  return done
}

function refuseMany(links: readonly unknown[]): void {
  if (links.length < 1 || links.length > MAX_BULK) throw invalid('', `Send 1 to ${MAX_BULK} links.`)
}

/** Links as Dub shows them, by their ids; those that were deleted since are missing. */
export async function readLinks(context: Context, rows: readonly { id?: string | null }[]) {
  const ids = [...new Set(rows.flatMap(({ id }) => id ?? []))]
  const query = { ids: ids.join(), includeArchived: true, limit: MAX_BULK }
  const { data } =
    ids.length === 0 ? { data: [] } : await context.call<Link[]>('GET', '/links', { query })
  const links = new Map(data.map((link) => [link.id, toDub(link, context.origin)]))
  return new Map(ids.flatMap((id) => (links.has(id) ? [[id, links.get(id)!]] : [])))
}
