import { createShapeCheck } from '../../base/shape-check.ts'
import type { LinkWrites } from '../imports/writes.ts'
import { createMany } from './create.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from './dependencies.ts'
import { findBySlug } from './find-by-slug.ts'
import { hashPasswords } from './password.ts'
import { CreateLink, UpdateLink } from './schema.ts'
import { keepUndoable } from './undo-log.ts'

/** A dry run stores no password, so that it needs no hash. */
const NO_HASH = async () => 'none'

/** The rules through which imports write links. */
export function createLinkWrites(deps: LinkDeps): LinkWrites {
  return {
    findBySlug: (tx, who, inputs) => findBySlug(deps, tx, who, inputs),
    checkNew: createShapeCheck(CreateLink, 'A link'),
    checkChange: createShapeCheck(UpdateLink, 'A link'),
    createMany: async (tx, who, inputs, hashes, operationId) => {
      const outcomes = await createMany(deps, tx, who, inputs, hashes)
      const created = outcomes.flatMap((outcome) => {
        if (outcome.status !== 'created') return []
        const { id, updatedAt } = outcome.link
        return [{ linkId: id, previous: null, changedAt: new Date(updatedAt) }]
      })
      await keepUndoable(tx, who, operationId, created, new Date(deps.clock()))
      return outcomes
    },
    updateMany: (tx, who, changes, hashes, operationId) =>
      updateMany(deps, tx, who, changes, hashes, operationId),
    hashPasswords: (who, passwords, isDry) => {
      const own = isDry ? { ...deps, hashLinkPassword: NO_HASH } : deps
      return hashPasswords(own, who, passwords, passwords.length)
    },
  }
}
