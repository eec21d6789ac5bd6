import type { Caller } from '../base/caller.ts'
import type { Route } from '../base/route.ts'
import type { Config } from '../config/config.ts'
import { createAuth, type AuthDeps } from '../services/auth/auth.ts'
import { factorRoutes } from '../services/auth/factor-routes.ts'
import { createIdentities } from '../services/auth/identities.ts'
import { createLinkedAccounts } from '../services/auth/linked-accounts.ts'
import { createPasskeys } from '../services/auth/passkeys.ts'
import { createProviders } from '../services/auth/providers.ts'
import { revokeAllAccess } from '../services/auth/revocation.ts'
import { outboxDirOf } from './mails.ts'
import { toSignInOptions, type SignInOptionsDeps } from '../services/auth/sign-in-options.ts'
import { createSocial } from '../services/auth/social.ts'
import type { UserRow } from '../services/auth/users.ts'
import type { Dependencies } from '../services/dependencies.ts'
import type { Tx } from '../storage/postgres.ts'

/** Functions of workspaces, invitations, API keys and links that the auth service calls. */
type Neighbors = Pick<
  AuthDeps,
  'hasInvitation' | 'findInvitation' | 'joinInvited' | 'ensureWorkspace' | 'revokeKeysOf'
> &
  Pick<SignInOptionsDeps, 'shortHost'>

/** The auth service: passwords, second factors, passkeys and providers. */
export function createAuthService(deps: Dependencies, config: Config, neighbors: Neighbors) {
  const { limiter } = deps
  const providers = createProviders(config)
  const auth = createAuth({
    ...deps,
    ...neighbors,
    accountLimiter: limiter('account'),
    accountIpLimiter: limiter('account-ip'),
    mailLimiter: limiter('mail'),
    mailNetworkLimiter: limiter('mail-network'),
    factorLimiter: limiter('factor'),
  })
  const { signUp, twoFactor, completeSignIn } = auth
  const { revokeKeysOf, shortHost } = neighbors
  const shared = {
    ...deps,
    completeSignIn,
    providerIds: [...providers.keys()],
    publicOrigin: () => config.publicUrl,
    shortHost,
  }
  const identities = createIdentities({ ...shared, signUp, revokeKeysOf })
  const factors = {
    twoFactor,
    passkeys: createPasskeys(shared),
    social: createSocial({ ...shared, providers, identities, twoFactor }),
    linkedAccounts: createLinkedAccounts(shared),
    getSignInOptions: (caller: Caller) =>
      toSignInOptions(
        { ...shared, outboxDir: config.smtpUrl === null ? outboxDirOf(config) : null },
        caller,
      ),
  }
  const routes: Route[] = [...auth.routes, ...factorRoutes(factors)]
  return {
    ...auth,
    routes,
    providers: [...providers.values()],
    /** For the operator, who confirms the owner of an address at the command line. */
    revokeAllAccess: (tx: Tx, user: Pick<UserRow, 'id' | 'emailKey'>) =>
      revokeAllAccess({ revokeKeysOf }, tx, OPERATOR, user),
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
