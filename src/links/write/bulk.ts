import { bindDeps } from '../../platform/core/functions.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import { createShapeCheck } from '../../platform/routes/shape-check.ts'
import { checkSlug, slugKeyOf } from '../../platform/facts/slug.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { checkNew, createMany, hashNewPasswords } from './create.ts'
import { countLinks, findMatching } from '../list/filter.ts'
import { deleteMany, updateMany, type TagChange } from './change.ts'
import {
  chooseDomain,
  createOwnTest,
  readGroups,
  toDomainColumns,
  type Groups,
} from './references.ts'
import type {
  CreateLinks,
  DeleteLinks,
  SlugQuery,
  UpdateEachLink,
  UpdateLinks,
  UpsertQuery,
} from './bulk-schema.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { failed, requireLink, toMeta, toRows, type Outcome } from './outcomes.ts'
import { ID_PATH, inChunks, readExternalIds } from './refusals.ts'
import { hashPasswords, NO_HASHES, PASSWORD_MASK } from './password.ts'
import { CreateLink, type UpdateLink } from '../link/schema.ts'
import { readTakenKeys } from '../link/addresses.ts'
import { toTag } from '../labels.ts'
import { undoOperation } from '../history/undo.ts'
import { checkDestination } from '../link/destination.ts'

export type BulkLinks = ReturnType<typeof createBulkLinks>

export const createBulkLinks = (deps: LinkDeps) =>
  bindDeps(deps, {
    ...{ upsert: upsertLink, checkSlug: checkWantedSlug, count: countLinks },
    createAll,
    updateAll,
    deleteAll,
    undo: undoOperation,
  })

export const checkLink = createShapeCheck(CreateLink, 'A link')

async function createAll(deps: LinkDeps, principal: Principal, body: CreateLinks) {
  const given = Array.isArray(body) ? body : body.links
  const outcomes: Outcome[] = []
  const valid: { index: number; input: CreateLink }[] = []
  for (const [index, link] of given.entries())
    try {
      valid.push({ index, input: checkLink(link) })
    } catch (error) {
      outcomes[index] = failed(error)
    }
  const inputs = valid.map(({ input }) => input)
  const hashes = await hashNewPasswords(deps, principal, inputs)
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const created = await createMany(deps, tx, principal, inputs, hashes)
    for (const [place, outcome] of created.entries()) outcomes[valid[place]!.index] = outcome
    const answer = page(
      toRows(outcomes, (index, path) => join('links', index, path)),
      toMeta(outcomes),
    )
    await deps.saveIdempotentResponse(tx, principal, answer)
    return answer
  })
}

async function updateAll(
  deps: LinkDeps,
  principal: Principal,
  body: UpdateLinks,
  signal?: AbortSignal,
) {
  const { input, tags } = splitTagChange(body.data)
  const named = await toNamed(deps, principal, body, signal)
  const hash = await hashForAll(deps, principal, input)
  return writeNamed(deps, principal, named, 'data', (tx, ids, operationId) => {
    const changes = ids.map((id) => ({ id, input, tags }))
    const hashes = new Map(hash === undefined ? [] : ids.map((_, i) => [i, hash]))
    return updateMany(deps, tx, principal, changes, hashes, operationId)
  })
}

async function hashForAll(deps: LinkDeps, principal: Principal, { password }: UpdateLink) {
  if (password === PASSWORD_MASK) return undefined
  return (await hashPasswords(deps, principal, [password])).get(0)
}

async function deleteAll(
  deps: LinkDeps,
  principal: Principal,
  body: DeleteLinks,
  signal?: AbortSignal,
) {
  const named = await toNamed(deps, principal, body, signal)
  return writeNamed(deps, principal, named, '', (tx, ids, operationId) =>
    deleteMany(deps, tx, principal, ids, operationId),
  )
}

type Named = { field: 'ids' | 'externalIds' | 'filter'; values: readonly string[] }

async function toNamed(
  deps: LinkDeps,
  principal: Principal,
  { ids, externalIds, filter }: DeleteLinks,
  signal?: AbortSignal,
): Promise<Named> {
  const given = [ids, externalIds, filter].filter((names) => names !== undefined)
  if (given.length !== 1) {
    const problem = given.length === 0 ? 'one of which is required' : 'only one of them'
    throw invalid('ids', `Name the links in ids, externalIds or filter, ${problem}.`, 'required')
  }
  if (filter)
    return { field: 'filter', values: await findMatching(deps, principal, filter, signal) }
  return ids ? { field: 'ids', values: ids } : { field: 'externalIds', values: externalIds! }
}

function writeNamed(
  deps: LinkDeps,
  principal: Principal,
  { field, values }: Named,
  prefix: string,
  write: (tx: Tx, ids: readonly (string | null)[], operationId: string) => Promise<Outcome[]>,
) {
  const operationId = newId('und', deps.clock())
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const found = field === 'externalIds' ? await readExternalIds(tx, principal, values) : null
    const ids = found === null ? values : values.map((value) => found.get(value) ?? null)
    const outcomes: Outcome[] = []
    for (const chunk of inChunks(ids)) outcomes.push(...(await write(tx, chunk, operationId)))
    const toPath = (index: number, path: string) =>
      path !== ID_PATH ? join(prefix, path) : field === 'filter' ? field : join(field, index)
    const isChange = ({ status }: Outcome) => status === 'updated' || status === 'deleted'
    const undoId = outcomes.some(isChange) ? operationId : null
    return page(toRows(outcomes, toPath, ids), { ...toMeta(outcomes), undoId })
  })
}

function join(...parts: readonly (string | number)[]): string {
  return parts.filter((part) => part !== '').join('.')
}

function splitTagChange({ addTags, removeTags, ...input }: UpdateEachLink): {
  input: UpdateLink
  tags: TagChange | null
} {
  if (addTags === undefined && removeTags === undefined) return { input, tags: null }
  if (input.tags !== undefined)
    throw invalid(
      'data.tags',
      'tags replaces all tags; it cannot be combined with addTags or removeTags.',
    )
  const add = (addTags ?? []).map((tag, i) => toTag(tag, `data.addTags.${i}`))
  const remove = (removeTags ?? []).map((tag, i) => toTag(tag, `data.removeTags.${i}`))
  return { input, tags: { add, remove: new Set(remove).difference(new Set(add)) } }
}

async function checkWantedSlug(
  { sql, clock, shortHost }: LinkDeps,
  principal: Principal,
  { slug, ...named }: SlugQuery,
) {
  const answer = (reason: 'taken' | 'reserved' | 'invalid' | null) => ({
    slug,
    available: reason === null,
    reason,
  })
  return inWorkspace(sql, principal.workspaceId, async (tx) => {
    const groups = await readGroups(tx, principal, [named])
    const domain = chooseDomain(named, null, shortHost(), groups) ?? null
    const { domainId, isCaseSensitive } = toDomainColumns(domain)
    const checked = checkSlug(slug, domain === null ? 'shared' : 'branded', isCaseSensitive)
    if ('problem' in checked) return answer(checked.isReserved ? 'reserved' : 'invalid')
    const address = { domainId: domainId ?? '', key: checked.key, linkId: '' }
    const taken = await readTakenKeys(tx, principal, [address], new Date(clock()))
    return answer(taken.size > 0 ? 'taken' : null)
  })
}

type Key = { kind: 'externalId' | 'slug' | 'destinationUrl'; value: string; domainId: string }

/** Parallel requests for one key wait for each other, so that only one creates the link. */
async function upsertLink(
  deps: LinkDeps,
  principal: Principal,
  input: CreateLink,
  { keep }: UpsertQuery = { keep: false },
) {
  const { workspaceId } = principal
  const hashes = await hashOwn(deps, principal, input)
  // Without a domain in the request, an existing link keeps its own.
  const { domainId, domain, ...fields } = input
  const change = { ...fields, ...(domainId && { domainId }), ...(domain && { domain }) }
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const groups = await readGroups(tx, principal, [input])
    const key = toKey(deps, input, groups)
    const lock = `upsert ${workspaceId} ${key.kind} ${key.domainId} ${key.value}`
    await tx`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`
    const id = await findByKey(tx, principal, key)
    if (id !== null) {
      const wanted = keep ? {} : change
      const [changed] = await updateMany(deps, tx, principal, [{ id, input: wanted }], hashes)
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

async function hashOwn(deps: LinkDeps, principal: Principal, input: CreateLink) {
  const { password } = input
  if (typeof password !== 'string' || password === PASSWORD_MASK) return NO_HASHES
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, [input]),
  )
  checkNew(deps, input, groups)
  return hashPasswords(deps, principal, [password])
}

/** Finds the oldest of several links with the destination. */
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
