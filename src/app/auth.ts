import type { Ground } from './services.ts'
import type { Caller } from '../base/caller.ts'
import type { Route } from '../base/route.ts'
import { createAccounts, createWays } from '../services/auth/linked-accounts.ts'
import { createAuth, type AuthDeps } from '../services/auth/auth.ts'
import { factorRoutes } from '../services/auth/factor-routes.ts'
import { createIdentities } from '../services/auth/identities.ts'
import { createPasskeys } from '../services/auth/passkeys.ts'
import { createProviders } from '../services/auth/providers.ts'
import { SignedIn } from '../services/auth/schema.ts'
import { createSocial } from '../services/auth/social.ts'
import { closeOtherWays } from '../services/auth/revocation.ts'
import type { Tx } from '../storage/postgres.ts'

/** What the auth service asks of workspaces, invitations and keys. */
type Neighbours = Pick<AuthDeps, 'hasInvitation' | 'ensureWorkspace' | 'revokeKeysOf'>

/** The auth service: passwords, second factors, passkeys and providers, put together. */
export function createAuthService(ground: Ground, neighbours: Neighbours) {
  const { stores, config, clock, log, secrets, recordSecurity, mails, limiter } = ground
  const sql = stores.systemSql
  const providers = createProviders(config)
  const ways = createWays([...providers.keys()])

  const auth = createAuth({
    ...neighbours,
    systemSql: sql,
    clock,
    secrets,
    recordSecurity,
    mails,
    signup: config.signup,
    requireEmailVerification: config.requireEmailVerification,
    accountLimiter: limiter('account', 100, 3_600),
    accountIpLimiter: limiter('account-ip', 10, 900),
    mailLimiter: limiter('mail', 10, 3_600),
    mailNetworkLimiter: limiter('mail-network', 3, 3_600),
    factorLimiter: limiter('factor', 10, 900),
  })
  const { sessions, signIn, signUp, twoFactor } = auth
  const { revokeKeysOf } = neighbours
  const completing = {
    sql,
    clock,
    recordSecurity,
    publicOrigin: () => config.publicUrl,
    completeSignIn: (caller: Caller, userId: string, method: string) =>
      signIn.complete(caller, userId, method),
  }
  const identities = createIdentities({
    sql,
    clock,
    recordSecurity,
    signUps: signUp,
    closeOtherWays: (tx, caller, userId) =>
      closeOtherWays({ sessions, revokeKeysOf }, tx, caller, userId),
  })
  const factors = {
    twoFactor,
    passkeys: createPasskeys<SignedIn>({ ...completing, ways }),
    social: createSocial<SignedIn>({
      ...completing,
      log,
      secrets,
      providers,
      identities,
      twoFactor,
    }),
    accounts: createAccounts({ sql, recordSecurity, ways }),
  }
  const routes: Route[] = [...auth.routes, ...factorRoutes(factors, SignedIn)]
  return {
    ...auth,
    routes,
    providers: [...providers.values()],
    /** For the operator, who vouches for an address at the command line. */
    closeOtherWays: (tx: Tx, userId: string) =>
      closeOtherWays({ sessions, revokeKeysOf }, tx, OPERATOR, userId),
  }
}

const OPERATOR: Caller = {
  requestId: 'bootstrap',
  ip: null,
  userAgent: null,
  origin: '',
  wantsHtml: false,
  cookies: {},
  session: null,
  who: null,
}
