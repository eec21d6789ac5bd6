import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import { requireMatch } from '../../platform/resources/versions.ts'
import { checkChange } from './update.ts'
import { checkNew } from './create.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { readGroups } from './groups.ts'
import { failed } from '../link/outcomes.ts'
import { hashPasswords, NO_HASHES, PASSWORD_MASK, type PasswordHashes } from './password.ts'
import type { CreateLink, UpdateLink } from '../link/schema.ts'
import { load, show } from '../link/stored.ts'

/** Hashes the passwords of new links that are otherwise valid. */
export async function hashNewPasswords(
  deps: LinkDeps,
  principal: Principal,
  inputs: readonly CreateLink[],
): Promise<PasswordHashes> {
  const locked = inputs.filter(({ password }) => typeof password === 'string')
  if (locked.length === 0) return NO_HASHES
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, locked),
  )
  const passwords = inputs.map((input) => {
    try {
      checkNew(deps, input, groups)
      return input.password
    } catch (error) {
      // The write refuses this row with the same error.
      return void failed(error)
    }
  })
  return hashPasswords(deps, principal, passwords)
}

/**
 * Hashes the new password of a link, if the change is otherwise valid.
 * @throws ApiError of a refused change
 */
export async function hashChangedPassword(
  deps: LinkDeps,
  principal: Principal,
  id: string,
  input: UpdateLink,
): Promise<PasswordHashes> {
  const { password } = input
  if (typeof password !== 'string' || password === PASSWORD_MASK) return NO_HASHES
  await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await load(tx, principal, id)
    requireMatch(principal, show(deps, before))
    checkChange(deps, before, input, await readGroups(tx, principal, [input], [id]), deps.clock())
  })
  return hashPasswords(deps, principal, [password])
}
