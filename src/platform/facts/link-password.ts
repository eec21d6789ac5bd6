import { PasswordHashing } from '../work/password-hashing.ts'
import type { Secrets } from '../core/secrets.ts'

/** In UTF-8. */
export const LINK_PASSWORD_MAX_BYTES = 256

/**
 * Services and edges have separate queues: guesses of visitors delay neither sign-ins nor new passwords.
 * @param taskName what there is too much of, in the message of a refusal
 */
export function createLinkPasswordHashing(
  secrets: Pick<Secrets, 'keyFor'>,
  taskName: string,
): PasswordHashing {
  return new PasswordHashing({ taskName, pepper: () => secrets.keyFor('link-password') })
}
