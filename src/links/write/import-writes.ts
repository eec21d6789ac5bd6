import { bindDeps } from '../../platform/core/bind-deps.ts'
import { createShapeCheck } from '../../platform/routes/shape-check.ts'
import type { LinkWrites } from '../imports/writes.ts'
import { createMany } from './create.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { findBySlug } from '../list/find-by-slug.ts'
import { hashPasswords } from './password.ts'
import { CreateLink, UpdateLink } from '../link/schema.ts'

/** A dry run stores no password, so that it needs no hash. */
const NO_HASH = async () => 'none'

/** The rules through which imports write links. */
export function createLinkWrites(deps: LinkDeps): LinkWrites {
  return {
    ...bindDeps(deps, { findBySlug, createMany, updateMany }),
    checkNew: createShapeCheck(CreateLink, 'A link'),
    checkChange: createShapeCheck(UpdateLink, 'A link'),
    hashPasswords: (principal, passwords, isDry) => {
      const own = isDry ? { ...deps, hashLinkPassword: NO_HASH } : deps
      return hashPasswords(own, principal, passwords, passwords.length)
    },
  }
}
