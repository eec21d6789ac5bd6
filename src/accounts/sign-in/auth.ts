import { Passwords } from '../passwords/passwords.ts'
import { createPasswordChange } from '../passwords/password-change.ts'
import { createReset } from '../passwords/reset.ts'
import { createTwoFactor } from '../second-factor/two-factor.ts'
import type { SignInDeps } from './dependencies.ts'
import { createProfile } from './profile.ts'
import { authRoutes } from './routes.ts'
import { createSessions } from './sessions.ts'
import { createSignIn } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { createThrottle, type ThrottleDeps } from './throttle.ts'
import { createVerification } from './verify.ts'

type Deps = Omit<SignInDeps, 'passwords' | 'throttle'> & ThrottleDeps

/** Accounts with a password, their sessions and their second factor. */
export function createAuth(deps: Deps) {
  const passwords = new Passwords(deps.secrets.keyFor('password-salt'))
  const throttle = createThrottle(deps)
  const shared = { ...deps, passwords, throttle }
  const rules = {
    signUp: createSignUp(shared),
    signIn: createSignIn(shared),
    sessions: createSessions(shared),
    verification: createVerification(shared),
    reset: createReset(shared),
    passwordChange: createPasswordChange(shared),
    profile: createProfile(shared),
  }
  const twoFactor = createTwoFactor(shared)
  return { ...rules, passwords, throttle, twoFactor, routes: authRoutes(rules) }
}
