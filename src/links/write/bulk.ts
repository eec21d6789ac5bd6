import { bindDeps } from '../../platform/core/functions.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import { createShapeCheck } from '../../platform/routes/shape-check.ts'
import { checkSlug } from '../../platform/facts/slug.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { createMany, hashNewPasswords } from './create.ts'
import { countLinks, findMatching } from '../list/count.ts'
import { deleteMany } from './delete.ts'
import { chooseDomain, readGroups, toDomainColumns } from './references.ts'
import type {
  CreateLinks,
  DeleteLinks,
  SlugQuery,
  UpdateEachLink,
  UpdateLinks,
} from './bulk-schema.ts'
import { updateMany, type TagChange } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { failed, toMeta, toRows, type Outcome } from './outcomes.ts'
import { ID_PATH, inChunks, readExternalIds } from './refusals.ts'
import { hashPasswords, PASSWORD_MASK } from './password.ts'
import { CreateLink, type UpdateLink } from '../link/schema.ts'
import { readTakenKeys } from '../link/addresses.ts'
import { toTag } from '../labels.ts'
import { undoOperation } from '../history/undo.ts'
import { upsertLink } from './upsert.ts'

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
    const ids = field === 'externalIds' ? await toIds(tx, principal, values) : values
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

async function toIds(tx: Tx, principal: Principal, externalIds: readonly string[]) {
  const ids = await readExternalIds(tx, principal, externalIds)
  return externalIds.map((externalId) => ids.get(externalId) ?? null)
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
