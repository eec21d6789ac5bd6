import { ApiError, invalid } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  createLinkPasswordHashing,
  LINK_PASSWORD_MAX_BYTES,
} from '../../platform/work/password-hashing.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'

export type HashLinkPassword = (principal: Principal, password: string) => Promise<string>

type Deps = Pick<Dependencies, 'sql' | 'requireCapability'> & {
  hashLinkPassword: HashLinkPassword
}

/** Stands for a password in answers, and in an unchanged link that a client sends back. */
export const PASSWORD_MASK = '********'

/** The hash of each input's password, or why there is none, by the index of the input. */
export type PasswordHashes = ReadonlyMap<number, string | ApiError>
export const NO_HASHES: PasswordHashes = new Map()

export function createHashLinkPassword(secrets: Pick<Secrets, 'keyFor'>): HashLinkPassword {
  const hashing = createLinkPasswordHashing(secrets, 'new link passwords')
  const queue = new FairQueue(PLACES.newLinkPasswords)
  return ({ workspaceId }, password) =>
    queue.run([`workspace:${workspaceId}`], undefined, () => hashing.hash(password))
}

/** More hashes would take seconds and delay other requests of the workspace. */
const MAX_HASHES = 25

/** Outside of any transaction, one after the other. */
export async function hashPasswords(
  deps: Deps,
  principal: Principal,
  passwords: readonly (string | null | undefined)[],
  maxHashes = MAX_HASHES,
): Promise<PasswordHashes> {
  if (!passwords.some((password) => typeof password === 'string')) return NO_HASHES
  const { workspaceId } = principal
  const refusal = await inWorkspace(deps.sql, workspaceId, (tx) =>
    deps.requireCapability.refusal(tx, workspaceId, 'password'),
  )
  const hashes = new Map<number, string | ApiError>()
  let hashed = 0
  for (const [index, password] of passwords.entries()) {
    if (typeof password !== 'string') continue
    try {
      checkPassword(password)
      if (refusal) throw refusal
      if (++hashed > maxHashes)
        throw invalid(
          'password',
          `At most ${maxHashes} links of a request may get a password; send this one in another request.`,
          'too_many',
        )
      hashes.set(index, await deps.hashLinkPassword(principal, password))
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      hashes.set(index, error)
    }
  }
  return hashes
}

export function checkPassword(password: string): void {
  if (password === PASSWORD_MASK)
    throw invalid('password', `password must not be the mask ${PASSWORD_MASK} of a password.`)
  if (password === '')
    throw invalid('password', 'password must not be empty; null removes it.', 'length')
  if (Buffer.byteLength(password) > LINK_PASSWORD_MAX_BYTES)
    throw invalid(
      'password',
      `password must be at most ${LINK_PASSWORD_MAX_BYTES} bytes long in UTF-8.`,
      'length',
    )
}
