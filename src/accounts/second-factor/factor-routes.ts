import { Type } from 'typebox'
import { page, route, type Reply } from '../../platform/routes/route.ts'
import { pageOf } from '../../platform/resources/lists.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import type { LinkedAccounts } from '../providers/identities.ts'
import { codePage } from '../sign-in/pages.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import { returnPathOf } from '../sign-in/return-path.ts'
import { SignedIn } from '../sign-in/schema.ts'
import type { Social } from '../providers/social.ts'
import * as shapes from './factor-schema.ts'
import type { Passkeys } from './passkeys.ts'
import type { TwoFactor } from './two-factor.ts'

const PasskeyParams = idParams('psk', 'passkey')
const AccountParams = idParams('acc', 'linked account')

type Factors = {
  twoFactor: TwoFactor
  passkeys: Passkeys
  social: Social
  linkedAccounts: LinkedAccounts
  getSignInOptions: (caller: Caller) => shapes.SignInOptions
}

function paged<Row>(reply: Reply<Row[]>, query: Paged) {
  return 'data' in reply ? { ...reply, data: pageOf(reply.data, query) } : reply
}

export const factorRoutes = (factors: Factors) => [
  ...twoFactorRoutes(factors),
  ...passkeyRoutes(factors),
  ...socialRoutes(factors),
]

const twoFactorRoutes = ({ twoFactor }: Factors) => {
  const tag = 'Two-factor sign-in'
  const open = { requires: { credential: 'none' }, tag } as const
  const guarded = { ...open, tier: 'auth' } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('GET /auth/two-factor', {
      ...own,
      name: 'getTwoFactor',
      summary: 'Read the state of two-factor sign-in',
      description: 'Returns the state, and the number of backup codes left.',
      shapes: { reply: shapes.TwoFactorState },
      handle: (caller) => twoFactor.state(caller),
    }),
    route('POST /auth/two-factor/enable', {
      ...own,
      tier: 'auth',
      name: 'enableTwoFactor',
      summary: 'Set up two-factor sign-in; a first code turns it on',
      description: 'Returns the secret for the authenticator app, and the backup codes.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { body: shapes.EnableTwoFactor, reply: shapes.TwoFactorSetup },
      handle: (caller, { body }) => twoFactor.enable(caller, body),
    }),
    route('GET /auth/two-factor/verify', {
      ...open,
      name: 'showTwoFactorPage',
      summary: 'The page for the code (for browsers)',
      description: 'Shows a form to a browser.',
      shapes: { query: shapes.StartQuery },
      handle: async ({ language = 'en' }, { query }) => ({
        html: codePage(language, returnPathOf(query.redirect)),
      }),
    }),
    route('POST /auth/two-factor/verify', {
      ...guarded,
      accepts: 'form',
      name: 'verifyTwoFactor',
      summary: 'Finish a sign-in with its second factor, or turn two-factor sign-in on',
      description:
        'After a password, completes the sign-in; with a session, turns two-factor sign-in on.',
      errors: ['UNAUTHORIZED', 'INVALID_CODE', 'SECRET_KEY_CHANGED', 'FORBIDDEN'],
      shapes: { body: shapes.VerifyTwoFactor, reply: shapes.TwoFactorResult },
      handle: async (caller, { body }) => {
        const reply = await twoFactor.verify(caller, body)
        if (!caller.wantsHtml) return reply
        return { redirect: returnPathOf(body.redirect), cookies: reply.cookies ?? [] }
      },
    }),
    route('POST /auth/two-factor/disable', {
      ...own,
      tier: 'auth',
      name: 'disableTwoFactor',
      summary: 'Turn two-factor sign-in off',
      description: 'Takes a code, and the password of the account.',
      errors: ['INVALID_CODE', 'SESSION_NOT_FRESH', 'SECRET_KEY_CHANGED'],
      shapes: { body: shapes.DisableTwoFactor, reply: shapes.TwoFactorOff },
      handle: (caller, { body }) => twoFactor.disable(caller, body),
    }),
    route('POST /auth/two-factor/backup-codes', {
      ...own,
      tier: 'auth',
      name: 'replaceBackupCodes',
      summary: 'Get new backup codes; takes a sign-in of the last 15 minutes',
      description: 'Returns ten new codes, which are shown only once, and voids the former ones.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { reply: shapes.BackupCodes },
      handle: (caller) => twoFactor.replaceCodes(caller),
    }),
  ]
}

const passkeyRoutes = ({ passkeys }: Factors) => {
  const tag = 'Passkeys'
  const guarded = { requires: { credential: 'none' }, tier: 'auth', tag } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('POST /auth/passkeys/register/options', {
      ...own,
      name: 'startPasskeyRegistration',
      summary: 'Start to add a passkey; takes a sign-in of the last 15 minutes',
      description: 'Returns the options for `navigator.credentials.create()`.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { reply: shapes.CreationOptions },
      handle: (caller) => passkeys.registerOptions(caller),
    }),
    route('POST /auth/passkeys/register/verify', {
      ...own,
      status: 201,
      name: 'registerPasskey',
      summary: 'Add a passkey',
      description: 'Takes the answer of `navigator.credentials.create()`.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { body: shapes.RegisterPasskey, reply: shapes.Passkey },
      handle: (caller, { body }) => passkeys.register(caller, body),
    }),
    route('POST /auth/passkeys/sign-in/options', {
      ...guarded,
      name: 'startPasskeySignIn',
      summary: 'Start to sign in with a passkey',
      description: 'Returns the options for `navigator.credentials.get()`.',
      shapes: { reply: shapes.RequestOptions },
      handle: (caller) => passkeys.signInOptions(caller),
    }),
    route('POST /auth/passkeys/sign-in/verify', {
      ...guarded,
      name: 'signInWithPasskey',
      summary: 'Sign in with a passkey',
      description:
        'Takes the answer of `navigator.credentials.get()`, and sets the cookie of the session.',
      errors: ['UNAUTHORIZED', 'FORBIDDEN', 'EMAIL_NOT_VERIFIED'],
      shapes: { body: shapes.PasskeySignIn, reply: SignedIn },
      handle: (caller, { body }) => passkeys.signIn(caller, body),
    }),
    route('GET /auth/passkeys', {
      ...own,
      name: 'listPasskeys',
      summary: 'List passkeys',
      description: 'Returns the passkeys of the signed-in user.',
      shapes: { query: Paged, reply: Type.Array(shapes.Passkey), meta: PageMeta },
      handle: async (caller, { query }) => paged(await passkeys.list(caller), query),
    }),
    route('PATCH /auth/passkeys/:id', {
      ...own,
      name: 'updatePasskey',
      summary: 'Rename a passkey',
      description: 'Changes the name under which it is listed.',
      errors: ['NOT_FOUND'],
      shapes: { params: PasskeyParams, body: shapes.RenamePasskey, reply: shapes.Passkey },
      handle: (caller, { params, body }) => passkeys.rename(caller, params.id, body),
    }),
    route('DELETE /auth/passkeys/:id', {
      ...own,
      status: 204,
      name: 'removePasskey',
      summary: 'Remove a passkey',
      description: 'It no longer signs in. The last sign-in method cannot be removed.',
      errors: ['NOT_FOUND'],
      shapes: { params: PasskeyParams },
      handle: (caller, { params }) => passkeys.remove(caller, params.id),
    }),
  ]
}

const socialRoutes = ({ social, linkedAccounts, getSignInOptions }: Factors) => {
  const tag = 'Sign-in providers'
  const open = { requires: { credential: 'none' }, tag } as const
  const guarded = { ...open, tier: 'auth' } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('GET /auth/providers', {
      ...open,
      name: 'listSignInProviders',
      summary: 'List the sign-in providers of this installation',
      description:
        'Returns the providers that the operator has set up, and in `meta` who may sign up, where mails go, and what a password needs.',
      shapes: {
        query: Paged,
        reply: Type.Array(shapes.SignInProvider),
        meta: shapes.ProvidersMeta,
      },
      handle: async (caller, { query }) => {
        const { data, meta } = pageOf(social.list(), query)
        return { data: page(data, { ...meta, ...getSignInOptions(caller) }) }
      },
    }),
    route('GET /auth/sign-in/:provider', {
      ...open,
      name: 'startProviderSignIn',
      summary: 'Go to a provider to sign in (a redirect, for browsers)',
      description: 'Sends the browser to the provider.',
      errors: ['NOT_FOUND'],
      shapes: { params: shapes.ProviderParams, query: shapes.StartQuery },
      handle: (caller, { params, query }) => social.start(caller, params.provider, query.redirect),
    }),
    route('GET /auth/callback/:provider', {
      ...guarded,
      name: 'finishProviderSignIn',
      summary: 'Return from a provider (a redirect or a page, for browsers)',
      description: 'The provider sends the browser here. It signs in, or links the account.',
      errors: ['NOT_FOUND', 'FORBIDDEN'],
      shapes: { params: shapes.ProviderParams, query: shapes.CallbackQuery },
      handle: (caller, { params, query }) => social.callback(caller, params.provider, query),
    }),
    route('POST /auth/link/:provider', {
      ...own,
      // A POST, so that a page of another site cannot start it: browsers navigate to a GET with the cookie.
      accepts: 'form',
      name: 'startProviderLink',
      summary:
        'Go to a provider to link its account; a form is answered with a redirect. Takes a sign-in of the last 15 minutes',
      description: 'Returns the address of the provider, or sends the browser there.',
      errors: ['NOT_FOUND', 'SESSION_NOT_FRESH'],
      shapes: { params: shapes.ProviderParams, query: shapes.StartQuery, reply: shapes.LinkStart },
      handle: async (caller, { params, query }) => {
        const { provider } = params
        const { redirect, cookies } = await social.startLink(caller, provider, query.redirect)
        return caller.wantsHtml ? { redirect, cookies } : { data: { url: redirect }, cookies }
      },
    }),
    route('GET /auth/accounts', {
      ...own,
      name: 'listLinkedAccounts',
      summary: 'List the linked accounts of providers',
      description: 'Returns the accounts at providers that sign this user in.',
      shapes: { query: Paged, reply: Type.Array(shapes.LinkedAccount), meta: PageMeta },
      handle: async (caller, { query }) => paged(await linkedAccounts.list(caller), query),
    }),
    route('DELETE /auth/accounts/:id', {
      ...own,
      status: 204,
      name: 'unlinkAccount',
      summary: 'Unlink the account of a provider',
      description: 'It no longer signs in. The last sign-in method cannot be removed.',
      errors: ['NOT_FOUND'],
      shapes: { params: AccountParams },
      handle: (caller, { params }) => linkedAccounts.unlink(caller, params.id),
    }),
  ]
}
