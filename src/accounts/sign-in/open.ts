import type { Caller } from '../../platform/routes/caller.ts'
import type { Route } from '../../platform/routes/route.ts'
import type { Config } from '../../platform/config/config.ts'
import { outboxDirOf } from '../../platform/mail/mails.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { createIdentities } from '../providers/identities.ts'
import { createLinkedAccounts } from '../providers/linked-accounts.ts'
import { createProviders } from '../providers/providers.ts'
import { createSocial } from '../providers/social.ts'
import { factorRoutes } from '../second-factor/factor-routes.ts'
import { createPasskeys } from '../second-factor/passkeys.ts'
import { createAuth } from './auth.ts'
import { revokeAllAccess } from './revocation.ts'
import { toSignInOptions } from './sign-in-options.ts'
import type { UserRow } from './users.ts'

export type SignIn = ReturnType<typeof openSignIn>

/** Passwords, second factors, passkeys and providers. */
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
