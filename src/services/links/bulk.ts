import { bindDeps } from '../../base/bind-deps.ts'
import { invalid } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import { createShapeCheck } from '../../base/shape-check.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import { createMany } from './create.ts'
import { countLinks, findMatching } from './count.ts'
import { deleteMany } from './delete.ts'
import type { CreateLinks, DeleteLinks, UpdateLinks } from './bulk-schema.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from './dependencies.ts'
import { failed, toMeta, toRows, type Outcome } from './outcomes.ts'
import { ID_PATH, inChunks, readIds } from './named-links.ts'
import { hashNewPasswords } from './hashes.ts'
import { hashPasswords, PASSWORD_MASK } from './password.ts'
import { CreateLink, type UpdateLink } from './schema.ts'
import { checkSlugFor } from './slug-check.ts'
import { splitTagChange } from './tag-changes.ts'
import { undoOperation } from './undo.ts'
import { upsertLink } from './upsert.ts'

export type BulkLinks = ReturnType<typeof createBulkLinks>

/** Writes of many links, each row of which fails alone, and what prepares them. One request is one transaction. */
export const createBulkLinks = (deps: LinkDeps) =>
  bindDeps(deps, {
    ...{ upsert: upsertLink, checkSlug: checkSlugFor, count: countLinks },
    createAll,
    updateAll,
    deleteAll,
    undo: undoOperation,
    createMany,
    updateMany,
    hashPasswords,
  })

const checkLink = createShapeCheck(CreateLink, 'A link')

async function createAll(deps: LinkDeps, who: Who, body: CreateLinks) {
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
  const hashes = await hashNewPasswords(deps, who, inputs)
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const created = await createMany(deps, tx, who, inputs, hashes)
    for (const [place, outcome] of created.entries()) outcomes[valid[place]!.index] = outcome
    const answer = page(
      toRows(outcomes, (index, path) => join('links', index, path)),
      toMeta(outcomes),
    )
    await deps.keepAnswer(tx, who, answer)
    return answer
  })
}

/** Changes links in the same way. */
async function updateAll(deps: LinkDeps, who: Who, body: UpdateLinks, signal?: AbortSignal) {
  const { input, tags } = splitTagChange(body.data)
  const named = await toNamed(deps, who, body, signal)
  const hash = await hashForAll(deps, who, input)
  return writeNamed(deps, who, named, 'data', (tx, ids, operationId) => {
    const changes = ids.map((id) => ({ id, input, tags }))
    const hashes = new Map(hash === undefined ? [] : ids.map((_, i) => [i, hash]))
    return updateMany(deps, tx, who, changes, hashes, operationId)
  })
}

/** One hash of the new password, if any, for all links. */
async function hashForAll(deps: LinkDeps, who: Who, { password }: UpdateLink) {
  if (password === PASSWORD_MASK) return undefined
  return (await hashPasswords(deps, who, [password])).get(0)
}

async function deleteAll(deps: LinkDeps, who: Who, body: DeleteLinks, signal?: AbortSignal) {
  const named = await toNamed(deps, who, body, signal)
  return writeNamed(deps, who, named, '', (tx, ids, operationId) =>
    deleteMany(deps, tx, who, ids, operationId),
  )
}

type Named = { field: 'ids' | 'externalIds' | 'filter'; values: readonly string[] }

/** @throws ApiError VALIDATION_ERROR unless the request has one list or a filter */
async function toNamed(
  deps: LinkDeps,
  who: Who,
  { ids, externalIds, filter }: DeleteLinks,
  signal?: AbortSignal,
): Promise<Named> {
  const given = [ids, externalIds, filter].filter((names) => names !== undefined)
  if (given.length !== 1) {
    const problem = given.length === 0 ? 'one of which is required' : 'only one of them'
    throw invalid('ids', `Name the links in ids, externalIds or filter, ${problem}.`, 'required')
  }
  if (filter) return { field: 'filter', values: await findMatching(deps, who, filter, signal) }
  return ids ? { field: 'ids', values: ids } : { field: 'externalIds', values: externalIds! }
}

/** @param prefix path of the fields of the change */
function writeNamed(
  deps: LinkDeps,
  who: Who,
  { field, values }: Named,
  prefix: string,
  write: (tx: Tx, ids: readonly (string | null)[], operationId: string) => Promise<Outcome[]>,
) {
  const operationId = newId('und', deps.clock())
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const ids = field === 'externalIds' ? await readIds(tx, who, values) : values
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
