import { bindDeps } from '../../base/bind-deps.ts'
import { page } from '../../base/route.ts'
import { createShapeCheck } from '../../base/shape-check.ts'
import type { Who } from '../../base/who.ts'
import { retryDeadlocks } from '../../storage/deadlocks.ts'
import { inWorkspace } from '../../storage/postgres.ts'
import { checkNew, createMany } from './bulk-create.ts'
import type { CreateLinks } from './bulk-schema.ts'
import type { LinkDeps } from './dependencies.ts'
import { readGroups } from './groups.ts'
import { failed, toMeta, toRows, type Outcome } from './outcomes.ts'
import { hashPasswords, NO_HASHES } from './password.ts'
import { CreateLink } from './schema.ts'

export type BulkLinks = ReturnType<typeof createBulkLinks>

/** Writes of many links, each row of which fails alone. One request is one transaction. */
export const createBulkLinks = (deps: LinkDeps) =>
  bindDeps(deps, { createAll, createMany, hashPasswords })

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
