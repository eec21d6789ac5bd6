import { SIZES } from '../../platform/limits/sizes.ts'
import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { Domains } from './domains.ts'
import { CreateDomain, DeleteQuery, Domain, ListDomains, UpdateDomain } from './schema.ts'
import type { Verification } from './verification.ts'

const Params = idParams('dom', 'domain')

const tag = 'Domains'
const { reads, writes } = scopedTo('domains', tag, 'admin')
/** For the two app files, with their JSON escapes. */
const limits = { bodyBytes: SIZES.domainBody.bytes, keys: 20_000 }

export const domainRoutes = (domains: Domains, verification: Verification) => [
  route('POST /domains', {
    ...writes,
    limits,
    idempotent: true,
    status: 201,
    name: 'createDomain',
    summary: 'Add a domain',
    description:
      'Claims a host for short links. It is `pending` until the records in `verification` are found; links on it redirect from then on.',
    errors: ['CONFLICT', 'PLAN_LIMIT_REACHED', 'PLAN_CAPABILITY_REQUIRED'],
    shapes: { body: CreateDomain, reply: Domain },
    handle: (principal, { body }, _signal, caller) =>
      domains.create(principal, body, caller?.origin),
  }),
  route('GET /domains', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listDomains',
    summary: 'List domains',
    description: 'Pages through the domains of the workspace, the newest first.',
    shapes: { query: ListDomains, reply: Type.Array(Domain), meta: FilteredMeta },
    handle: (principal, { query }, signal, caller) =>
      domains.list(principal, query, caller?.origin, signal),
  }),
  route('GET /domains/:id', {
    ...reads,
    name: 'getDomain',
    summary: 'Read a domain',
    description: 'Returns one domain with the records to create, and what the last check found.',
    shapes: { params: Params, reply: Domain },
    find: domains.find,
    handle: (principal, { params }, _signal, caller) =>
      domains.get(principal, params.id, caller?.origin),
  }),
  route('PATCH /domains/:id', {
    ...writes,
    limits,
    supportsIfMatch: true,
    name: 'updateDomain',
    summary: 'Change a domain',
    description:
      'Changes the settings of a domain. A change of `caseSensitive` is refused if slugs of its links would become the same.',
    errors: ['CONFLICT'],
    shapes: { params: Params, body: UpdateDomain, reply: Domain },
    find: domains.find,
    handle: (principal, { params, body }, _signal, caller) =>
      domains.update(principal, params.id, body, caller?.origin),
  }),
  route('DELETE /domains/:id', {
    ...writes,
    status: 204,
    name: 'deleteDomain',
    limits: { timeoutMs: TIMES.fileRequest.ms },
    summary: 'Delete a domain',
    description:
      'Refused while links are on it, unless `force` moves them to the shared host. Slugs that are taken or reserved there are listed in the error, and nothing is moved then.',
    errors: ['CONFLICT'],
    shapes: { params: Params, query: DeleteQuery },
    find: domains.find,
    handle: (principal, { params, query }) => domains.remove(principal, params.id, query.force),
  }),
  route('POST /domains/:id/verify', {
    ...writes,
    idempotent: true,
    name: 'verifyDomain',
    summary: 'Verify a domain',
    description:
      'Looks for the records now, and returns the domain with what was found. Domains are also checked without a request.',
    errors: ['PLAN_CAPABILITY_REQUIRED', 'RATE_LIMITED'],
    shapes: { params: Params, reply: Domain },
    find: domains.find,
    handle: (principal, { params }, _signal, caller) =>
      verification.verify(principal, params.id, caller?.origin),
  }),
]
