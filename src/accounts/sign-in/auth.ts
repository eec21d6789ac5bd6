import type { Secrets } from '../../platform/core/secrets.ts'
import { completeSignIn, type CompleteSignIn } from './complete-sign-in.ts'
import { createPasswordChange } from '../passwords/password-change.ts'
import { Passwords } from '../passwords/passwords.ts'
import { createProfile } from './profile.ts'
import { createReset } from '../passwords/reset.ts'
import { authRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { createThrottle } from './throttle.ts'
import { createTwoFactor } from '../second-factor/two-factor.ts'
import { createVerification, type Verification } from './verify.ts'

export type AuthDeps = Omit<
  DepsOf<typeof createThrottle> &
    DepsOf<typeof createSignUp> &
    DepsOf<typeof createSignIn> &
    Pick<DepsOf<typeof createVerification>, 'joinInvited'> &
    DepsOf<typeof createTwoFactor> &
    DepsOf<typeof createReset> &
    DepsOf<typeof createPasswordChange> &
    DepsOf<typeof createProfile>,
  'passwords' | 'throttle' | 'signUp' | 'twoFactor' | 'completeSignIn' | 'completeProven'
> & { secrets: Secrets }

type DepsOf<Create extends (deps: never) => unknown> = Parameters<Create>[0]

/** Accounts with a password, their sessions and their second factor. */
export function createAuth(deps: AuthDeps) {
  const passwords = new Passwords(deps.secrets.keyFor('password-salt'))
  const throttle = createThrottle(deps)
  const parts = { ...deps, passwords, throttle }
  const complete: CompleteSignIn = (caller, userId, method) =>
    completeSignIn(parts, caller, userId, method)
  const sessions = createSessions(deps)
  const signUp = createSignUp({
    ...parts,
    completeProven: (...args) => verification.completeProven(...args),
  })
  const twoFactor = createTwoFactor({ ...parts, completeSignIn: complete })
  const signIn = createSignIn({ ...parts, twoFactor, signUp })
  const verification: Verification = createVerification({ ...parts, signIn })
  const rules = {
    signUp,
    signIn,
    sessions,
    verification,
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
