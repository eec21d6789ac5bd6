import type { Answered, Context, Row } from '../api.ts'
import { listAll } from '../lists.ts'
import { Problem } from './problem.ts'
import { toData } from './short-url.ts'

type Domain = {
  id: string
  hostname: string
  rootRedirectUrl: string | null
  notFoundUrl: string | null
}

const NO_REDIRECTS = {
  baseUrlRedirect: null,
  regular404Redirect: null,
  invalidShortUrlRedirect: null,
}

export const domainRows = {
  'GET /rest/v3/domains': { handle: list },
  'PATCH /rest/v3/domains/redirects': { handle: setRedirects },
} as const satisfies Record<string, Row>

async function list({ call, origin }: Context): Promise<Answered> {
  const shared = { domain: new URL(origin).host, isDefault: true, redirects: NO_REDIRECTS }
  const own = (await listAll<Domain>(call, '/domains')).map((domain) => ({
    domain: domain.hostname,
    isDefault: false,
    redirects: toRedirects(domain),
  }))
  return { body: { domains: { data: [shared, ...own], defaultRedirects: NO_REDIRECTS } } }
}

/** One page of this server answers every unknown path of a domain. */
function toRedirects({ rootRedirectUrl, notFoundUrl }: Domain) {
  return {
    baseUrlRedirect: rootRedirectUrl,
    regular404Redirect: notFoundUrl,
    invalidShortUrlRedirect: notFoundUrl,
  }
}

async function setRedirects(context: Context): Promise<Answered> {
  const data = toData(context.body)
  const { baseUrlRedirect, regular404Redirect } = data
  const notFound =
    regular404Redirect === undefined ? data.invalidShortUrlRedirect : regular404Redirect
  const { data: domain } = await context.call<Domain>('PATCH', '/domains/:id', {
    params: { id: await requireOwn(context, String(data.domain)) },
    body: { rootRedirectUrl: baseUrlRedirect, notFoundUrl: notFound },
  })
  return { body: toRedirects(domain) }
}

/** `default` is the label of the host that all workspaces share. @throws Problem */
export async function findDomainId(context: Context, authority: string): Promise<string> {
  const shared = new URL(context.origin).host
  return authority === 'DEFAULT' || authority === shared
    ? 'default'
    : requireOwn(context, authority)
}

async function requireOwn({ call }: Context, authority: string): Promise<string> {
  const domains = await listAll<Domain>(call, '/domains')
  const found = domains.find(({ hostname }) => hostname === authority.toLowerCase())
  if (found) return found.id
  throw new Problem(
    'NOT_FOUND',
    ['domain-not-found', 'Domain not found'],
    `Domain with authority "${authority}" could not be found`,
    { authority },
  )
}
