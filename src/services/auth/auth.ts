import type { Caller } from '../../base/caller.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { Tx } from '../../storage/postgres.ts'
import { completeSignIn, type CompleteSignIn, type SigningIn } from './complete-sign-in.ts'
import { createPasswordChange } from './password-change.ts'
import { Passwords } from './passwords.ts'
import { createProfile, type ProfileMails } from './profile.ts'
import { createReset, type ResetMails } from './reset.ts'
import { authRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignUp, type SignUpMails } from './sign-up.ts'
import { createThrottle, type Limiter } from './throttle.ts'
import { createTwoFactor, type FactorLimiter } from './two-factor.ts'
import type { UserDeps } from './users.ts'
import { createVerification } from './verify.ts'

export type AuthDeps = UserDeps & {
  secrets: Secrets
  /** Guesses at the password of one account from everywhere. */
  accountLimiter: Limiter
  /** Guesses from one network, or from a device that has signed in to the account. */
  accountIpLimiter: Limiter
  /** Mails to one address for one purpose: from everywhere, and from one network. */
  mailLimiter: Limiter
  mailNetworkLimiter: Limiter
  /** Per user: codes of the second factor, and passwords that confirm a change. */
  factorLimiter: FactorLimiter
  /** Every mail is sent in the background. */
  mails: SignUpMails & ResetMails & ProfileMails
  /** SIGNUP. */
  signup: 'open' | 'invite' | 'closed'
  hasInvitation: (email: string) => Promise<boolean>
  /** REQUIRE_EMAIL_VERIFICATION. */
  requireEmailVerification: boolean
  /** The oldest workspace of a user, made at the first sign-in. The user's row is locked. */
  ensureWorkspace: (tx: Tx, user: SigningIn) => Promise<string>
  /** Revokes the API keys of a user in every workspace. */
  revokeKeysOf: (tx: Tx, caller: Caller, userId: string) => Promise<void>
}

export type Auth = ReturnType<typeof createAuth>

/** Accounts with a password, their sessions and their second factor. */
export function createAuth(deps: AuthDeps) {
  const passwords = new Passwords(deps.secrets.keyFor('password-salt'))
  const throttle = createThrottle(deps)
  const parts = { ...deps, passwords, throttle }
  const complete: CompleteSignIn = (caller, userId, method) =>
    completeSignIn(parts, caller, userId, method)
  const sessions = createSessions(deps)
  const signUp = createSignUp(parts)
  const twoFactor = createTwoFactor({ ...parts, completeSignIn: complete })
  const signIn = createSignIn({ ...parts, twoFactor, signUp })
  const rules = {
    signUp,
    signIn,
    sessions,
    verification: createVerification({ ...parts, signIn }),
    reset: createReset(parts),
    passwordChange: createPasswordChange(parts),
    profile: createProfile(parts),
  }
  return {
    ...rules,
    passwords,
    throttle,
    twoFactor,
    completeSignIn: complete,
    routes: authRoutes(rules),
  }
}
