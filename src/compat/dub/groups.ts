import type { Domain } from '../../domains/domains/schema.ts'
import type { Folder } from '../../links/folders/schema.ts'
import type { Tag } from '../../links/tags/schema.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Answered, Context, Handler, Rows } from '../api.ts'
import { asText, rename, textOf, toObject } from '../fields.ts'
import { findDomain } from '../lookups.ts'
import { refuse, same, toSlice } from './fields.ts'
import { toTag } from './link.ts'

export const groupRows: Rows = {
  'GET /tags': list('/tags', ({ name }: Tag) => toTag(name), 'ids'),
  'POST /tags': createTag,
  'PATCH /tags/:id': async ({ call, params, body }) => {
    const { tag, name = tag } = toObject(body)
    const { data } = await call<Tag>('PATCH', '/tags/:id', { params, body: { name } })
    return { body: toTag(data.name) }
  },
  'DELETE /tags/:id': remove('/tags/:id'),
  'GET /folders': list('/folders', showFolder),
  'POST /folders': changeFolder('POST', '/folders', 201),
  'PATCH /folders/:id': changeFolder('PATCH', '/folders/:id', 200),
  'DELETE /folders/:id': remove('/folders/:id'),
  'GET /domains': list('/domains', showDomain, 'archived'),
  'POST /domains': async ({ call, body }) => {
    const domain = { ...toDomain(body), hostname: toObject(body)['slug'] }
    const { data } = await call<Domain>('POST', '/domains', { body: domain })
    return { status: 201, body: showDomain(data) }
  },
  'PATCH /domains/:slug': async ({ call, params, body }) => {
    const { id, hostname } = await findDomain(call, params['slug']!)
    const { slug = hostname } = toObject(body)
    if (slug !== hostname) throw invalid('slug', 'A domain keeps its name. Add the other one.')
    const changes = { params: { id }, body: toDomain(body) }
    return { body: showDomain((await call<Domain>('PATCH', '/domains/:id', changes)).data) }
  },
  'DELETE /domains/:slug': async ({ call, params }) => {
    const { id, hostname } = await findDomain(call, params['slug']!)
    await call('DELETE', '/domains/:id', { params: { id } })
    return { body: { slug: hostname } }
  },
}

/** @param refused filters that are not here */
function list(
  path: `/${string}`,
  show: (row: never) => object,
  ...refused: readonly string[]
): Handler {
  return async ({ call, query }) => {
    refuse(query, ...refused)
    const [search, sortBy, sortOrder] = ['search', 'sortBy', 'sortOrder'].map((name) =>
      textOf(query, name),
    )
    const asked = { search, sortBy, sortOrder, ...toSlice(query) }
    return { body: (await call<never[]>('GET', path, { query: asked })).data.map(show) }
  }
}

function remove(path: `/${string}`): Handler {
  return async ({ call, params }) => {
    await call('DELETE', path, { params })
    return { body: { id: params['id'] } }
  }
}

/** A tag exists here once a link has it, so that this only says how it will look. */
async function createTag({ call, body }: Context): Promise<Answered> {
  const { tag, name: given = tag } = toObject(body)
  const name = asText(given).normalize('NFC').trim()
  if (!/^[^,]{1,50}$/u.test(name))
    throw invalid('name', 'name must have 1 to 50 characters, and no comma.')
  const { data } = await call<Tag[]>('GET', '/tags', { query: { search: name, limit: 100 } })
  if (data.some((known) => known.name === name)) throw new ApiError('CONFLICT', 'This tag exists.')
  return { status: 201, body: toTag(name) }
}

function showFolder({ id, name, createdAt, updatedAt }: Folder) {
  const kind = { description: null, type: 'default', accessLevel: 'write' }
  return { id, name, ...kind, createdAt, updatedAt }
}

function changeFolder(method: 'POST' | 'PATCH', path: `/${string}`, status: number): Handler {
  return async ({ call, params, body }) => {
    const { name, accessLevel } = toObject(body)
    if (accessLevel === 'read') refuse({ accessLevel }, 'accessLevel')
    const given = { params, body: { name } }
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
  const fields = toObject(body)
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
