import type { Domain } from '../../domains/domains/schema.ts'
import type { Folder } from '../../links/folders/schema.ts'
import type { Tag } from '../../links/tags/schema.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Answered, Context } from '../api.ts'
import { asText, textOf } from '../fields.ts'
import { refuse, refuseOthers, rename, same, toFields, toSlice } from './fields.ts'
import { toTag } from './link.ts'
import { PREFIX } from './links.ts'

export const groupRows = {
  [`GET ${PREFIX}/tags`]: {
    handle: async (context: Context) => {
      refuse(context.query, 'ids')
      return { body: (await list<Tag>(context, '/tags')).map(({ name }) => toTag(name)) }
    },
  },
  [`POST ${PREFIX}/tags`]: { handle: createTag },
  [`PATCH ${PREFIX}/tags/:name`]: {
    handle: async ({ call, params, body }: Context) => {
      const name = toTagName({ ...params, ...toFields(body) })
      const { data } = await call<Tag>('PATCH', '/tags/:name', { params, body: { name } })
      return { body: toTag(data.name) }
    },
  },
  [`DELETE ${PREFIX}/tags/:name`]: { handle: remove('/tags/:name', 'id') },
  [`GET ${PREFIX}/folders`]: {
    handle: async (context: Context) => ({
      body: (await list<Folder>(context, '/folders')).map(showFolder),
    }),
  },
  [`POST ${PREFIX}/folders`]: { handle: changeFolder('POST', '/folders', 201) },
  [`PATCH ${PREFIX}/folders/:id`]: { handle: changeFolder('PATCH', '/folders/:id', 200) },
  [`DELETE ${PREFIX}/folders/:id`]: { handle: remove('/folders/:id', 'id') },
  [`GET ${PREFIX}/domains`]: {
    handle: async (context: Context) => {
      refuse(context.query, 'archived')
      return { body: (await list<Domain>(context, '/domains')).map(showDomain) }
    },
  },
  [`POST ${PREFIX}/domains`]: {
    handle: async ({ call, body }: Context) => {
      const domain = { ...toDomain(body), hostname: toFields(body)['slug'] }
      const { data } = await call<Domain>('POST', '/domains', { body: domain })
      return { status: 201, body: showDomain(data) }
    },
  },
  [`PATCH ${PREFIX}/domains/:slug`]: { handle: updateDomain },
  [`DELETE ${PREFIX}/domains/:slug`]: {
    handle: async (context: Context) => {
      const { id, hostname } = await findDomain(context, context.params['slug']!)
      await context.call('DELETE', '/domains/:id', { params: { id } })
      return { body: { slug: hostname } }
    },
  },
}

async function list<Row>({ call, query }: Context, path: `/${string}`): Promise<Row[]> {
  const order = { sortBy: textOf(query, 'sortBy'), sortOrder: textOf(query, 'sortOrder') }
  const search = textOf(query, 'search')
  return (await call<Row[]>('GET', path, { query: { search, ...order, ...toSlice(query) } })).data
}

function remove(path: `/${string}`, name: string) {
  return async ({ call, params }: Context): Promise<Answered> => {
    await call('DELETE', path, { params })
    return { body: { [name]: Object.values(params)[0] } }
  }
}

/** A tag exists here once a link has it, so that this only says how it will look. */
async function createTag({ call, body }: Context): Promise<Answered> {
  const name = toTagName(toFields(body))
  const { data } = await call<Tag[]>('GET', '/tags', { query: { search: name, limit: 100 } })
  if (data.some((tag) => tag.name === name)) throw new ApiError('CONFLICT', 'This tag exists.')
  return { status: 201, body: toTag(name) }
}

function toTagName(fields: Readonly<Record<string, unknown>>): string {
  refuseOthers('string', fields, 'tag', 'name')
  const { tag, name } = fields
  const text = asText(tag ?? name)
    .normalize('NFC')
    .trim()
  if (/^[^,]{1,50}$/u.test(text)) return text
  throw invalid('name', 'name must have 1 to 50 characters, and no comma.')
}

function showFolder({ id, name, createdAt, updatedAt }: Folder) {
  const kind = { description: null, type: 'default', accessLevel: 'write' }
  return { id, name, ...kind, createdAt, updatedAt }
}

function changeFolder(method: 'POST' | 'PATCH', path: `/${string}`, status: number) {
  return async ({ call, params, body }: Context): Promise<Answered> => {
    const fields = toFields(body)
    if (fields['accessLevel'] === 'read') refuse(fields, 'accessLevel')
    const given = { params, body: rename(fields, same('name')) }
    return { status, body: showFolder((await call<Folder>(method, path, given)).data) }
  }
}

function showDomain(domain: Domain) {
  const { id, hostname, status, isDefault, expiredUrl, notFoundUrl, createdAt, updatedAt } = domain
  const { assetLinks, appleAppSiteAssociation: site } = domain
  const nothing = { archived: false, placeholder: null, logo: null, registeredDomain: null }
  return {
    id,
    slug: hostname,
    verified: status === 'verified' || status === 'misconfigured',
    primary: isDefault,
    ...{ expiredUrl, notFoundUrl, createdAt, updatedAt },
    ...nothing,
    assetLinks: assetLinks && JSON.stringify(assetLinks),
    appleAppSiteAssociation: site && JSON.stringify(site),
  }
}

const FILES = ['assetLinks', 'appleAppSiteAssociation'] as const

/** Dub has the files of apps as texts. */
function toDomain(body: unknown) {
  const fields = toFields(body)
  refuse(fields, 'archived', 'logo')
  const given = FILES.filter((name) => fields[name] !== undefined)
  const files = given.map((name) => [name, parse(name, fields[name])])
  const urls = rename(fields, same('expiredUrl', 'notFoundUrl'))
  return { ...urls, ...Object.fromEntries(files) }
}

function parse(name: string, text: unknown): unknown {
  try {
    return text === null ? null : JSON.parse(asText(text))
  } catch {
    throw invalid(name, `${name} must be JSON.`)
  }
}

/** @throws ApiError NOT_FOUND */
async function findDomain({ call }: Context, slug: string): Promise<Domain> {
  const search = slug.toLowerCase()
  const { data } = await call<Domain[]>('GET', '/domains', { query: { search, limit: 100 } })
  const found = data.find(({ hostname }) => hostname === search)
  if (!found) throw new ApiError('NOT_FOUND', 'This workspace has no such domain.')
  return found
}

async function updateDomain(context: Context): Promise<Answered> {
  const { call, params, body } = context
  const { id, hostname } = await findDomain(context, params['slug']!)
  const { slug = hostname } = toFields(body)
  if (slug !== hostname) throw invalid('slug', 'A domain keeps its name. Add the other one.')
  const changes = { params: { id }, body: toDomain(body) }
  return { body: showDomain((await call<Domain>('PATCH', '/domains/:id', changes)).data) }
}
