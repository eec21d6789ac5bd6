import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { checkNew, createMany } from './create.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { checkDestination } from '../link/destination.ts'
import {
  chooseDomain,
  createOwnTest,
  readGroups,
  toDomainColumns,
  type Groups,
} from './references.ts'
import { requireLink } from './outcomes.ts'
import { hashPasswords, NO_HASHES, PASSWORD_MASK } from './password.ts'
import type { CreateLink, UpdateLink } from '../link/schema.ts'

type Key = { kind: 'externalId' | 'slug' | 'destinationUrl'; value: string; domainId: string }

/** Parallel requests for one key wait for each other, so that only one creates the link. */
export async function upsertLink(deps: LinkDeps, principal: Principal, input: CreateLink) {
  const { workspaceId } = principal
  const hashes = await hashOwn(deps, principal, input)
  const change = toChange(input)
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const groups = await readGroups(tx, principal, [input])
    const key = toKey(deps, input, groups)
    const lock = `upsert ${workspaceId} ${key.kind} ${key.domainId} ${key.value}`
    await tx`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`
    const id = await findByKey(tx, principal, key)
    if (id !== null) {
      const [changed] = await updateMany(deps, tx, principal, [{ id, input: change }], hashes)
      // Otherwise another request has just deleted the link.
      if (changed?.status !== 'failed' || changed.error.code !== 'NOT_FOUND')
        return page(requireLink(changed), { created: false })
    }
    const [created] = await createMany(deps, tx, principal, [input], hashes)
    return page(requireLink(created), { created: true })
  })
}

function toKey({ shortHost }: LinkDeps, input: CreateLink, groups: Groups): Key {
  const { externalId, slug, destinationUrl } = input
  if (externalId) return { kind: 'externalId', value: externalId.trim(), domainId: '' }
  if (slug) {
    const domain = chooseDomain(input, null, shortHost(), groups) ?? null
    const { domainId, isCaseSensitive } = toDomainColumns(domain)
    return { kind: 'slug', value: slugKeyOf(slug, isCaseSensitive), domainId: domainId ?? '' }
  }
  const isOwn = createOwnTest(shortHost(), groups)
  return { kind: 'destinationUrl', value: checkDestination(destinationUrl, isOwn), domainId: '' }
}

/** Without a domain in the request, an existing link keeps its own. */
function toChange({ domainId, domain, ...fields }: CreateLink): UpdateLink {
  return { ...fields, ...(domainId && { domainId }), ...(domain && { domain }) }
}

async function hashOwn(deps: LinkDeps, principal: Principal, input: CreateLink) {
  const { password } = input
  if (typeof password !== 'string' || password === PASSWORD_MASK) return NO_HASHES
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, [input]),
  )
  checkNew(deps, input, groups)
  return hashPasswords(deps, principal, [password])
}

/** Of several links with the destination, finds the oldest. */
async function findByKey(tx: Tx, { workspaceId }: Principal, { kind, value, domainId }: Key) {
  const conditions = {
    externalId: tx`external_id = ${value}`,
    slug: tx`
      id = (select link_id from link_addresses
        where domain_id = ${domainId} and slug_key = ${value} and not is_alias)`,
    destinationUrl: tx`
      destination_hash = (select hashtextextended(${value}, 0)) and destination_url = ${value}`,
  }
  const [found] = await tx<{ id: string }[]>`
    select id from links where workspace_id = ${workspaceId} and ${conditions[kind]}
    order by created_at, id limit 1`
  return found?.id ?? null
}
