import type { Domain } from '../../domains/domains/schema.ts'
import type { Context, Rows } from '../api.ts'
import { orNull } from '../call.ts'
import { asText, toObject } from '../fields.ts'
import { findDomain, listAll } from '../lookups.ts'
import { problem } from './problem.ts'

const NO_REDIRECTS = {
  ...{ baseUrlRedirect: null, regular404Redirect: null, invalidShortUrlRedirect: null },
}

export const domainRows: Rows = {
  'GET /v3/domains': async ({ call, origin }) => {
    const shared = { domain: new URL(origin).host, isDefault: true, redirects: NO_REDIRECTS }
    const own = (await listAll<Domain>(call, '/domains')).map((domain) => ({
      ...{ domain: domain.hostname, isDefault: false, redirects: toRedirects(domain) },
    }))
    return { body: { domains: { data: [shared, ...own], defaultRedirects: NO_REDIRECTS } } }
  },
  'PATCH /v3/domains/redirects': async ({ call, body }) => {
    const { domain, baseUrlRedirect, regular404Redirect, ...data } = toObject(body)
    const notFoundUrl =
      regular404Redirect === undefined ? data['invalidShortUrlRedirect'] : regular404Redirect
    const { data: changed } = await call<Domain>('PATCH', '/domains/:id', {
      params: { id: await findOwn(call, asText(domain)) },
      body: { rootRedirectUrl: baseUrlRedirect, notFoundUrl },
    })
    return { body: toRedirects(changed) }
  },
}

/** One page of this server answers every unknown path of a domain. */
function toRedirects({ rootRedirectUrl, notFoundUrl }: Domain) {
  return {
    baseUrlRedirect: rootRedirectUrl,
    regular404Redirect: notFoundUrl,
    invalidShortUrlRedirect: notFoundUrl,
  }
}

/** `default` is the label of the host that all workspaces share. @throws ApiError */
export async function findDomainId({ call, origin }: Context, authority: string): Promise<string> {
  const isShared = authority === 'DEFAULT' || authority === new URL(origin).host
  return isShared ? 'default' : findOwn(call, authority)
}

async function findOwn(call: Context['call'], authority: string): Promise<string> {
  const found = await orNull(findDomain(call, authority))
  if (found) return found.id
  throw problem(
    'NOT_FOUND',
    { type: 'domain-not-found', title: 'Domain not found', authority },
    `Domain with authority "${authority}" could not be found`,
  )
}
