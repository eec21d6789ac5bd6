import { isIP } from 'node:net'
import type { Caller } from '../../platform/routes/caller.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { SignInOptions } from '../second-factor/factor-schema.ts'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '../passwords/password-rule.ts'

type Deps = Pick<Dependencies, 'signup' | 'requireEmailVerification'> & {
  /** The folder in which mails are files; null with a mail server. */
  outboxDir: string | null
  /** PUBLIC_URL; null: the origin that the browser uses. */
  publicUrl: string | null
  shortHost: () => { domain: string }
}

/** The settings of this installation that matter to a sign-up or sign-in page. */
export function toSignInOptions(
  { signup, requireEmailVerification, outboxDir, publicUrl, shortHost }: Deps,
  { origin, isOnThisMachine = false }: Pick<Caller, 'origin' | 'isOnThisMachine'>,
): SignInOptions {
  return {
    signup,
    emailVerificationRequired: requireEmailVerification,
    mail: outboxDir === null ? 'smtp' : 'outbox',
    outboxPath: isOnThisMachine ? outboxDir : null,
    shortDomain: shortHost().domain,
    passkeys: canHavePasskeys(new URL(publicUrl ?? origin)),
    password: { minLength: PASSWORD_MIN_CHARS, maxLength: PASSWORD_MAX_CHARS },
  }
}

/** WebAuthn needs a host with a name, and https unless the host is this machine. */
function canHavePasskeys({ protocol, hostname }: URL): boolean {
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
