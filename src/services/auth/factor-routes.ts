import { Type } from 'typebox'
import type { TObject } from 'typebox'
import { accountRoute } from '../../base/route.ts'
import type { AccountReply } from '../../base/route.ts'
import { pageOf } from '../paging.ts'
import { IdParams, Paged, PageMeta } from '../shapes.ts'
import type { Accounts } from './accounts.ts'
import { codePage } from './code-page.ts'
import {
  CallbackQuery,
  CreationOptions,
  DisableTwoFactor,
  EnableTwoFactor,
  LinkedAccount,
  LinkStart,
  Passkey,
  PasskeySignIn,
  ProviderParams,
  RegisterPasskey,
  RenamePasskey,
  RequestOptions,
  SignInProvider,
  StartQuery,
  TwoFactorOff,
  TwoFactorSetup,
  TwoFactorState,
  VerifyTwoFactor,
} from './factor-schema.ts'
import type { Passkeys } from './passkeys.ts'
import { returnPathOf } from './return-path.ts'
import type { Social } from './social.ts'
import type { TwoFactor } from './two-factor.ts'

type Factors<SignedIn> = {
  twoFactor: TwoFactor<SignedIn>
  passkeys: Passkeys<SignedIn>
  social: Social
  accounts: Accounts
}

/** A page of a reply that holds a whole list: these lists are short by their nature. */
function paged<Row>(reply: AccountReply<Row[]>, query: Paged) {
  return 'data' in reply ? { ...reply, data: pageOf(reply.data, query) } : reply
}

/** @param SignedIn the shape of a finished sign-in, the same for every way in */
export const factorRoutes = <S>(factors: Factors<S>, SignedIn: TObject) => [
  ...twoFactorRoutes(factors, SignedIn),
  ...passkeyRoutes(factors, SignedIn),
  ...socialRoutes(factors),
]

const twoFactorRoutes = <S>({ twoFactor }: Factors<S>, SignedIn: TObject) => {
  const tag = 'Two-factor sign-in'
  return [
    accountRoute({
      method: 'GET',
      path: '/auth/two-factor',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'Whether two-factor sign-in is on',
      tag,
      shapes: { reply: TwoFactorState },
      handle: (caller) => twoFactor.state(caller),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/two-factor/enable',
      credential: 'session',
      tier: 'auth',
      status: 200,
      summary: 'Set up two-factor sign-in; a first code turns it on',
      tag,
      shapes: { body: EnableTwoFactor, reply: TwoFactorSetup },
      handle: (caller, { body }) => twoFactor.enable(caller, body),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/two-factor/verify',
      credential: 'none',
      tier: 'api',
      status: 200,
      summary: 'The page that asks for the code (for browsers)',
      tag,
      shapes: { query: StartQuery },
      handle: async (_caller, { query }) => ({ html: codePage(returnPathOf(query.redirect)) }),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/two-factor/verify',
      accepts: 'form',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Finish a sign-in with its second factor, or turn two-factor sign-in on',
      tag,
      shapes: {
        body: VerifyTwoFactor,
        reply: Type.Partial(
          Type.Object({ ...SignedIn.properties, enabled: Type.Boolean() }),
        ) as TObject,
      },
      handle: async (caller, { body }) => {
        const reply = await twoFactor.verify(caller, body)
        if (!caller.wantsHtml) return reply as never
        return { redirect: returnPathOf(body.redirect), cookies: reply.cookies ?? [] }
      },
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/two-factor/disable',
      credential: 'session',
      tier: 'auth',
      status: 200,
      summary: 'Turn two-factor sign-in off',
      tag,
      shapes: { body: DisableTwoFactor, reply: TwoFactorOff },
      handle: (caller, { body }) => twoFactor.disable(caller, body),
    }),
  ]
}

const passkeyRoutes = <S>({ passkeys }: Factors<S>, SignedIn: TObject) => {
  const tag = 'Passkeys'
  return [
    accountRoute({
      method: 'POST',
      path: '/auth/passkeys/register/options',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'Begin to add a passkey; takes a sign-in of the last 15 minutes',
      tag,
      shapes: { reply: CreationOptions },
      handle: (caller) => passkeys.registerOptions(caller),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/passkeys/register/verify',
      credential: 'session',
      tier: 'api',
      status: 201,
      summary: 'Add a passkey',
      tag,
      shapes: { body: RegisterPasskey, reply: Passkey },
      handle: (caller, { body }) => passkeys.register(caller, body),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/passkeys/sign-in/options',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Begin to sign in with a passkey',
      tag,
      shapes: { reply: RequestOptions },
      handle: (caller) => passkeys.signInOptions(caller),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/passkeys/sign-in/verify',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Sign in with a passkey',
      tag,
      shapes: { body: PasskeySignIn, reply: SignedIn },
      handle: (caller, { body }) => passkeys.signIn(caller, body) as never,
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/passkeys',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'List passkeys',
      tag,
      shapes: { query: Paged, reply: Type.Array(Passkey), meta: PageMeta },
      handle: async (caller, { query }) => paged(await passkeys.list(caller), query),
    }),
    accountRoute({
      method: 'PATCH',
      path: '/auth/passkeys/:id',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'Rename a passkey',
      tag,
      shapes: { params: IdParams, body: RenamePasskey, reply: Passkey },
      handle: (caller, { params, body }) => passkeys.rename(caller, params.id, body),
    }),
    accountRoute({
      method: 'DELETE',
      path: '/auth/passkeys/:id',
      credential: 'session',
      tier: 'api',
      status: 204,
      summary: 'Remove a passkey',
      tag,
      shapes: { params: IdParams },
      handle: (caller, { params }) => passkeys.remove(caller, params.id),
    }),
  ]
}

const socialRoutes = <S>({ social, accounts }: Factors<S>) => {
  const tag = 'Sign-in providers'
  return [
    accountRoute({
      method: 'GET',
      path: '/auth/providers',
      credential: 'none',
      tier: 'api',
      status: 200,
      summary: 'List the sign-in providers of this installation',
      tag,
      shapes: { query: Paged, reply: Type.Array(SignInProvider), meta: PageMeta },
      handle: async (_caller, { query }) => paged(social.list(), query),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/sign-in/:provider',
      credential: 'none',
      tier: 'api',
      status: 200,
      summary: 'Go to a provider to sign in (a redirect, for browsers)',
      tag,
      shapes: { params: ProviderParams, query: StartQuery },
      handle: (caller, { params, query }) => social.start(caller, params.provider, query.redirect),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/callback/:provider',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Come back from a provider (a redirect or a page, for browsers)',
      tag,
      shapes: { params: ProviderParams, query: CallbackQuery },
      handle: (caller, { params, query }) => social.callback(caller, params.provider, query),
    }),
    accountRoute({
      // A POST, so that no page of another site begins it: browsers navigate to a GET with the cookie.
      method: 'POST',
      path: '/auth/link/:provider',
      credential: 'session',
      accepts: 'form',
      tier: 'api',
      status: 200,
      summary:
        'Go to a provider to link its account; a form is answered with a redirect. Takes a sign-in of the last 15 minutes',
      tag,
      shapes: { params: ProviderParams, query: StartQuery, reply: LinkStart },
      handle: async (caller, { params, query }) => {
        const { redirect, cookies } = await social.startLink(
          caller,
          params.provider,
          query.redirect,
        )
        return caller.wantsHtml ? { redirect, cookies } : { data: { url: redirect }, cookies }
      },
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/accounts',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'List the linked accounts of providers',
      tag,
      shapes: { query: Paged, reply: Type.Array(LinkedAccount), meta: PageMeta },
      handle: async (caller, { query }) => paged(await accounts.list(caller), query),
    }),
    accountRoute({
      method: 'DELETE',
      path: '/auth/accounts/:id',
      credential: 'session',
      tier: 'api',
      status: 204,
      summary: 'Unlink the account of a provider',
      tag,
      shapes: { params: IdParams },
      handle: (caller, { params }) => accounts.unlink(caller, params.id),
    }),
  ]
}
