import { isIP } from 'node:net'
import type { Caller } from '../../platform/routes/caller.ts'
import type { Route } from '../../platform/routes/route.ts'
import type { Config } from '../../platform/config/config.ts'
import { outboxDirOf } from '../../platform/mail/mails.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { createIdentities, createLinkedAccounts } from '../providers/identities.ts'
import { createProviders } from '../providers/providers.ts'
import { createSocial } from '../providers/social.ts'
import { factorRoutes } from '../second-factor/factor-routes.ts'
import { createPasskeys } from '../second-factor/passkeys.ts'
import type { SignInOptions } from '../second-factor/factor-schema.ts'
import { PASSWORD_MAX_CHARS, PASSWORD_MIN_CHARS } from '../passwords/password-rule.ts'
import { Passwords } from '../passwords/passwords.ts'
import { createPasswordChange, createReset } from '../passwords/password-change.ts'
import { createTwoFactor } from '../second-factor/two-factor.ts'
import { revokeAllAccess, createSessions } from './sessions.ts'
import type { UserRow, SignInDeps } from './users.ts'
import { createProfile } from './profile.ts'
import { authRoutes } from './routes.ts'
import { createSignIn } from './sign-in.ts'
import { createSignUp } from './sign-up.ts'
import { createThrottle, type ThrottleDeps } from './throttle.ts'
import { createVerification } from './verify.ts'

export type SignIn = ReturnType<typeof openSignIn>

export function openSignIn(
  deps: Dependencies,
  config: Config,
  shortHost: () => { domain: string },
) {
  const { limiter } = deps
  const own = {
    ...deps,
    accountLimiter: limiter('account'),
    accountIpLimiter: limiter('account-ip'),
    mailLimiter: limiter('mail'),
    mailNetworkLimiter: limiter('mail-network'),
    factorLimiter: limiter('factor'),
  }
  const auth = createAuth(own)
  const { passwords, throttle, twoFactor } = auth
  const providers = createProviders(config)
  const { publicUrl } = config
  const shared = {
    ...{ ...own, passwords, throttle, providers, publicUrl },
    providerIds: [...providers.keys()],
  }
  const outboxDir = config.smtpUrl === null ? outboxDirOf(config) : null
  const factors = {
    twoFactor,
    passkeys: createPasskeys(shared),
    social: createSocial({ ...shared, identities: createIdentities(shared) }),
    linkedAccounts: createLinkedAccounts(shared),
    getSignInOptions: (caller: Caller) =>
      toSignInOptions({ ...shared, outboxDir, shortHost }, caller),
  }
  return {
    ...auth,
    routes: [...auth.routes, ...factorRoutes(factors)] as Route[],
    providers: [...providers.values()],
    /** For the operator, who confirms the owner of an address at the command line. */
    revokeAllAccess: (tx: Tx, user: Pick<UserRow, 'id' | 'emailKey'>) =>
      revokeAllAccess(deps, tx, OPERATOR, user),
  }
}

const OPERATOR: Caller = {
  ...{ requestId: 'bootstrap', ip: null, userAgent: null, origin: '', wantsHtml: false },
  ...{ cookies: {}, session: null, principal: null },
}

type OptionsDeps = Pick<Dependencies, 'signup' | 'requireEmailVerification'> & {
  outboxDir: string | null
  /** PUBLIC_URL; null: the origin that the browser uses. */
  publicUrl: string | null
  shortHost: () => { domain: string }
}

export function toSignInOptions(
  { signup, requireEmailVerification, outboxDir, publicUrl, shortHost }: OptionsDeps,
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

type AuthDeps = Omit<SignInDeps, 'passwords' | 'throttle'> & ThrottleDeps

export function createAuth(deps: AuthDeps) {
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
