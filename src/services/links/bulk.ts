import { bindDeps } from '../../base/bind-deps.ts'
import { invalid } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import { createShapeCheck } from '../../base/shape-check.ts'
import type { Who } from '../../base/who.ts'
import { retryDeadlocks } from '../../storage/deadlocks.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import { checkNew, createMany } from './bulk-create.ts'
import { countLinks } from './count.ts'
import { deleteMany } from './bulk-delete.ts'
import type { CreateLinks, DeleteLinks, UpdateLinks } from './bulk-schema.ts'
import { updateMany } from './bulk-update.ts'
import type { LinkDeps } from './dependencies.ts'
import { readGroups } from './groups.ts'
import { failed, toMeta, toRows, type Outcome } from './outcomes.ts'
import { ID_PATH, readIds } from './named-links.ts'
import { hashPasswords, NO_HASHES, PASSWORD_MASK } from './password.ts'
import { CreateLink, type UpdateLink } from './schema.ts'
import { checkSlugFor } from './slug-check.ts'
import { upsertLink } from './upsert.ts'

export type BulkLinks = ReturnType<typeof createBulkLinks>

/** Writes of many links, each row of which fails alone, and what prepares them. One request is one transaction. */
export const createBulkLinks = (deps: LinkDeps) =>
  bindDeps(deps, {
    ...{ upsert: upsertLink, checkSlug: checkSlugFor, count: countLinks },
    createAll,
    updateAll,
    deleteAll,
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
  return retryDeadlocks(() =>
    inWorkspace(deps.sql, who.workspaceId, async (tx) => {
      const made = await createMany(deps, tx, who, inputs, hashes)
      for (const [place, outcome] of made.entries()) outcomes[valid[place]!.index] = outcome
      const answer = page(
        toRows(outcomes, (index, path) => join('links', index, path)),
        toMeta(outcomes),
      )
      await deps.keepAnswer(tx, who, answer)
      return answer
    }),
  )
}

/** Changes links in the same way. */
async function updateAll(deps: LinkDeps, who: Who, body: UpdateLinks) {
  const { data } = body
  const { field, values } = toNamed(body)
  const hashes = await hashForAll(deps, who, data, values.length)
  return writeNamed(deps, who, { field, values }, 'data', (tx, ids) => {
    const changes = ids.map((id) => ({ id, input: data }))
    return updateMany(deps, tx, who, changes, hashes)
  })
}

/** One hash of the new password, if any, for all links. */
async function hashForAll(deps: LinkDeps, who: Who, { password }: UpdateLink, count: number) {
  if (password === PASSWORD_MASK) return NO_HASHES
  const hash = (await hashPasswords(deps, who, [password])).get(0)
  return new Map(hash === undefined ? [] : Array.from({ length: count }, (_, i) => [i, hash]))
}

async function deleteAll(deps: LinkDeps, who: Who, body: DeleteLinks) {
  return writeNamed(deps, who, toNamed(body), '', (tx, ids) => deleteMany(deps, tx, who, ids))
}

type Named = { field: 'ids' | 'externalIds'; values: readonly string[] }

/** @throws ApiError VALIDATION_ERROR unless the request has one of the two lists */
function toNamed({ ids, externalIds }: DeleteLinks): Named {
  if (ids && !externalIds) return { field: 'ids', values: ids }
  if (externalIds && !ids) return { field: 'externalIds', values: externalIds }
  const problem = ids ? 'not both' : 'which is required'
  throw invalid('ids', `Name the links in ids or in externalIds, ${problem}.`, 'required')
}

/** @param prefix path of the fields of the change */
function writeNamed(
  deps: LinkDeps,
  who: Who,
  { field, values }: Named,
  prefix: string,
  write: (tx: Tx, ids: readonly (string | null)[]) => Promise<Outcome[]>,
) {
  return retryDeadlocks(() =>
    inWorkspace(deps.sql, who.workspaceId, async (tx) => {
      const ids = field === 'ids' ? values : await readIds(tx, who, values)
      const outcomes = await write(tx, ids)
      const toPath = (index: number, path: string) =>
        path === ID_PATH ? join(field, index) : join(prefix, path)
      return page(toRows(outcomes, toPath, ids), toMeta(outcomes))
    }),
  )
}

function join(...parts: readonly (string | number)[]): string {
  return parts.filter((part) => part !== '').join('.')
}

/** Hashes the passwords of the inputs that are valid apart from them. */
async function hashNewPasswords(deps: LinkDeps, who: Who, inputs: readonly CreateLink[]) {
  const locked = inputs.filter(({ password }) => typeof password === 'string')
  if (locked.length === 0) return NO_HASHES
  const groups = await inWorkspace(deps.sql, who.workspaceId, (tx) => readGroups(tx, who, locked))
  const passwords = inputs.map((input) => {
    try {
      checkNew(deps, input, groups)
      return input.password
    } catch (error) {
      // The write refuses this row with the same error.
      return void failed(error)
    }
  })
  return hashPasswords(deps, who, passwords)
}
