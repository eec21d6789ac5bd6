import type { Caller } from '../../platform/routes/caller.ts'
import type { Route } from '../../platform/routes/route.ts'
import type { Config } from '../../platform/config/config.ts'
import { createAuth, type AuthDeps } from './auth.ts'
import { factorRoutes } from '../second-factor/factor-routes.ts'
import { createIdentities } from '../providers/identities.ts'
import { createLinkedAccounts } from '../providers/linked-accounts.ts'
import { createPasskeys } from '../second-factor/passkeys.ts'
import { createProviders } from '../providers/providers.ts'
import { revokeAllAccess } from './revocation.ts'
import { outboxDirOf } from '../../platform/mail/mails.ts'
import { toSignInOptions, type SignInOptionsDeps } from './sign-in-options.ts'
import { createSocial } from '../providers/social.ts'
import type { UserRow } from './users.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'

/** Functions of workspaces, invitations, API keys and links that the auth service calls. */
type Neighbors = Pick<
  AuthDeps,
  'hasInvitation' | 'findInvitation' | 'joinInvited' | 'ensureWorkspace' | 'revokeKeysOf'
> &
  Pick<SignInOptionsDeps, 'shortHost'>

export type SignIn = ReturnType<typeof openSignIn>

/** Passwords, second factors, passkeys and providers. */
export function openSignIn(deps: Dependencies, config: Config, neighbors: Neighbors) {
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
  principal: null,
}
