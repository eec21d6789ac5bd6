import type { Caller } from '../../base/caller.ts'
import type { Clock } from '../../base/clock.ts'
import type { Secrets } from '../../base/secrets.ts'
import type { Tx, SystemSql } from '../../storage/postgres.ts'
import type { RecordSecurity } from '../security.ts'
import { createPasswordChange } from './password-change.ts'
import { createPasswords } from './passwords.ts'
import { createProfile, type ProfileMails } from './profile.ts'
import { createReset, type ResetMails } from './reset.ts'
import { authRoutes } from './routes.ts'
import type { SignInReply } from './schema.ts'
import { createSessions } from './sessions.ts'
import { createSignIn, type NewMember } from './sign-in.ts'
import { createSignUp, type SignUpMails } from './sign-up.ts'
import { createThrottle, type Limiter } from './throttle.ts'
import { createTokens } from './tokens.ts'
import { createTwoFactor, type FactorLimiter, type TwoFactor } from './two-factor.ts'
import { createVerification } from './verify.ts'

export type AuthDeps = {
  /** Of the worker role: people are seen by no workspace. */
  systemSql: SystemSql
  clock: Clock
  secrets: Secrets
  recordSecurity: RecordSecurity
  /** Of one account, whoever asks. */
  accountLimiter: Limiter
  /** Of one account and network, or of a device that has signed in to it. */
  accountIpLimiter: Limiter
  /** Mails to one address for one purpose: from all networks, and from one. */
  mailLimiter: Limiter
  mailNetworkLimiter: Limiter
  /** Of one person: codes of the second factor, and passwords that are asked for once more. */
  factorLimiter: FactorLimiter
  /** All of them return at once, and send in the background. */
  mails: SignUpMails & ResetMails & ProfileMails
  /** SIGNUP. */
  signup: 'open' | 'invite' | 'closed'
  hasInvitation: (email: string) => Promise<boolean>
  /** REQUIRE_EMAIL_VERIFICATION. */
  requireEmailVerification: boolean
  /** The first workspace of a person, or their oldest; the lock of the person's row is held. */
  ensureWorkspace: (tx: Tx, person: NewMember) => Promise<string>
  /** Ends the API keys of a person, in every workspace. */
  revokeKeysOf: (tx: Tx, caller: Caller, userId: string) => Promise<void>
}

export type Auth = ReturnType<typeof createAuth>

/** Accounts with a password, their sessions and their second factor, put together. */
export function createAuth(deps: AuthDeps) {
  const { clock, secrets } = deps
  const passwords = createPasswords(secrets.keyFor('password-salt'))
  const tokens = createTokens({ clock })
  const throttle = createThrottle(deps)
  const sessions = createSessions(deps)
  const signUp = createSignUp({ ...deps, passwords, throttle })
  const twoFactor: TwoFactor<SignInReply> = createTwoFactor<SignInReply>({
    ...deps,
    sql: deps.systemSql,
    passwords,
    completeSignIn: (caller, userId, method) => signIn.complete(caller, userId, method),
  })
  const signIn = createSignIn({
    ...deps,
    ...{ passwords, throttle, sessions, twoFactor },
    pending: signUp.pending,
  })
  const parts = {
    ...deps,
    ...{ passwords, throttle, tokens, sessions, twoFactor, signIn },
    store: signUp.store,
  }
  const doors = {
    ...{ signUp, signIn, sessions },
    verification: createVerification(parts),
    reset: createReset(parts),
    passwordChange: createPasswordChange(parts),
    profile: createProfile(parts),
  }
  return { ...doors, ...{ passwords, throttle, twoFactor }, routes: authRoutes(doors) }
}
