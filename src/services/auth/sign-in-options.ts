import { isIP } from 'node:net'
import type { Caller } from '../../base/caller.ts'
import type { Dependencies } from '../dependencies.ts'
import type { SignInOptions } from './factor-schema.ts'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from './password-rule.ts'

export type SignInOptionsDeps = Pick<Dependencies, 'signup' | 'requireEmailVerification'> & {
  /** False: mails are files in the outbox of the operator. */
  hasMailServer: boolean
  /** PUBLIC_URL; null: the origin that the browser uses. */
  publicOrigin: () => string | null
  shortHost: () => { domain: string }
}

/** The settings of this installation that a page for sign-up and sign-in follows. */
export function toSignInOptions(
  { signup, requireEmailVerification, hasMailServer, publicOrigin, shortHost }: SignInOptionsDeps,
  { origin }: Pick<Caller, 'origin'>,
): SignInOptions {
  return {
    signup,
    emailVerificationRequired: requireEmailVerification,
    mail: hasMailServer ? 'smtp' : 'outbox',
    shortDomain: shortHost().domain,
    passkeys: canHavePasskeys(new URL(publicOrigin() ?? origin)),
    password: { minLength: PASSWORD_MIN_CHARS, maxLength: PASSWORD_MAX_CHARS },
  }
}

/** WebAuthn needs a host with a name, and https unless the host is this machine. */
function canHavePasskeys({ protocol, hostname }: URL): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
