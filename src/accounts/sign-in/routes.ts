import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams, nullable, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import type { PasswordChange, Reset } from '../passwords/password-change.ts'
import * as shapes from './schema.ts'
import type { Profile } from './profile.ts'
import type { Sessions } from './sessions.ts'
import type { SignIn } from './sign-in.ts'
import type { SignUp } from './sign-up.ts'
import type { Verification } from './verify.ts'

type Auth = {
  signUp: SignUp
  verification: Verification
  signIn: SignIn
  sessions: Sessions
  reset: Reset
  passwordChange: PasswordChange
  profile: Profile
}

export const authRoutes = (auth: Auth) => [
  ...signUpRoutes(auth),
  ...signInRoutes(auth),
  ...passwordRoutes(auth),
  ...profileRoutes(auth),
]

const signUpRoutes = ({ signUp, verification }: Auth) => {
  const guarded = { requires: { credential: 'none' }, tier: 'auth', tag: 'Sign-up' } as const
  return [
    route('POST /auth/sign-up/email', {
      ...guarded,
      status: 201,
      name: 'signUp',
      summary: 'Sign up with an e-mail address; the same answer for every address',
      description:
        'Mails a link that verifies the address. It does not disclose whether the address has an account.',
      errors: ['FORBIDDEN'],
      shapes: { body: shapes.SignUp, reply: shapes.SignUpReply },
      handle: (caller, { body }) => signUp.signUp(caller, body),
    }),
    route('GET /auth/verify-email', {
      ...guarded,
      name: 'showVerifyEmailPage',
      summary: 'The page of the link in a verification mail; using it takes the POST',
      description: 'Shows a button to a browser. It changes nothing.',
      errors: ['GONE'],
      shapes: { query: shapes.LinkQuery },
      handle: (caller, { query }) => verification.show(caller, query.token ?? ''),
    }),
    route('POST /auth/verify-email', {
      ...guarded,
      accepts: 'form',
      name: 'verifyEmail',
      summary: 'Verify the address of a sign-up, and sign in',
      description:
        'Takes the token from the mail and, in a browser that did not start the sign-up, the password.',
      errors: ['GONE', 'INVALID_CREDENTIALS', 'FORBIDDEN'],
      shapes: { body: shapes.VerifyEmail, reply: shapes.SignInReply },
      handle: (caller, { body }) => verification.verify(caller, body),
    }),
    route('POST /auth/send-verification-email', {
      ...guarded,
      name: 'sendVerificationEmail',
      summary: 'Send the verification mail again; the same answer for every address',
      description: 'Mails a new link if a sign-up with this address is open.',
      shapes: { body: shapes.AddressOnly, reply: shapes.Sent },
      handle: (caller, { body }) => signUp.resend(caller, body.email),
    }),
  ]
}

const signInRoutes = ({ signIn, sessions }: Auth) => {
  const tag = 'Sign-in and sessions'
  const open = { requires: { credential: 'none' }, tag } as const
  const guarded = { ...open, tier: 'auth' } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('POST /auth/sign-in/email', {
      ...guarded,
      name: 'signIn',
      summary: 'Sign in with e-mail address and password',
      description:
        'Sets the cookie of the session. With two-factor sign-in on, the code is required next.',
      errors: ['INVALID_CREDENTIALS', 'EMAIL_NOT_VERIFIED', 'FORBIDDEN'],
      shapes: { body: shapes.SignIn, reply: shapes.SignInReply },
      handle: (caller, { body }) => signIn.withPassword(caller, body),
    }),
    route('POST /auth/sign-out', {
      ...open,
      status: 204,
      name: 'signOut',
      summary: 'Sign out',
      description: 'Ends the session of the cookie, if there is one.',
      shapes: {},
      handle: (caller) => sessions.signOut(caller),
    }),
    route('GET /auth/session', {
      requires: { credential: 'session', optionalBy: 'optional' },
      tag,
      name: 'getSession',
      summary: 'Read the signed-in user and the active workspace',
      description:
        'Returns the user, the session and the active workspace of the cookie. With `?optional=true` it is no error to be signed out.',
      shapes: { query: shapes.SessionQuery, reply: nullable(shapes.SignedIn) },
      handle: (caller, { query }) => signIn.current(caller, query),
    }),
    route('GET /auth/sessions', {
      ...own,
      name: 'listSessions',
      summary: 'List the sessions of the signed-in user',
      description: 'Returns every browser that is signed in: this one first, then by last use.',
      shapes: { query: Paged, reply: Type.Array(shapes.SessionEntry), meta: PageMeta },
      handle: (caller, { query }) => sessions.list(caller, query),
    }),
    route('DELETE /auth/sessions/:id', {
      ...own,
      status: 204,
      name: 'endSession',
      summary: 'End a session',
      description: 'The browser of that session is signed out at once.',
      errors: ['NOT_FOUND'],
      shapes: { params: idParams('ses', 'session') },
      handle: (caller, { params }) => sessions.remove(caller, params.id),
    }),
    route('DELETE /auth/sessions', {
      ...own,
      status: 204,
      name: 'endOtherSessions',
      summary: 'End all other sessions',
      description: 'Every browser but this one is signed out at once.',
      shapes: {},
      handle: (caller) => sessions.removeOthers(caller),
    }),
    route('GET /auth/ok', {
      ...open,
      name: 'getAuthStatus',
      summary: 'Check that the auth service answers',
      description: 'Uses no database.',
      shapes: { reply: shapes.Ok },
      handle: async () => ({ data: { ok: true } }),
    }),
  ]
}

const passwordRoutes = ({ reset, passwordChange }: Auth) => {
  const tag = 'Passwords'
  const guarded = { requires: { credential: 'none' }, tier: 'auth', tag } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('POST /auth/request-password-reset', {
      ...guarded,
      name: 'requestPasswordReset',
      summary: 'Request a password reset by mail; the same answer for every address',
      description: 'Mails a link if the address has an account.',
      shapes: { body: shapes.AddressOnly, reply: shapes.Sent },
      handle: (caller, { body }) => reset.request(caller, body.email),
    }),
    route('GET /auth/reset-password', {
      ...guarded,
      name: 'showResetPasswordPage',
      summary: 'The page of the link in a reset mail; using it takes the POST',
      description: 'Shows a form to a browser. It changes nothing.',
      errors: ['GONE'],
      shapes: { query: shapes.LinkQuery },
      handle: (caller, { query }) => reset.show(caller, query.token ?? ''),
    }),
    route('POST /auth/reset-password', {
      ...guarded,
      accepts: 'form',
      name: 'resetPassword',
      summary: 'Set a new password with the token of a mail; ends all sessions',
      description: 'Does not sign in: the second factor is still required.',
      errors: ['GONE'],
      shapes: { body: shapes.ResetPassword, reply: shapes.PasswordReset },
      handle: (caller, { body }) => reset.reset(caller, body),
    }),
    route('POST /auth/change-password', {
      ...own,
      tier: 'auth',
      name: 'changePassword',
      summary: 'Change the password; ends all other sessions',
      description: 'Sets a new cookie for this session.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { body: shapes.ChangePassword, reply: shapes.SignedIn },
      handle: (caller, { body }) => passwordChange.change(caller, body),
    }),
  ]
}

const profileRoutes = ({ profile }: Auth) => {
  const tag = 'Profile'
  const guarded = { requires: { credential: 'none' }, tier: 'auth', tag } as const
  const own = { requires: { credential: 'session' }, tag } as const
  return [
    route('PATCH /auth/user', {
      ...own,
      name: 'updateUser',
      summary: 'Change the name and the preferences',
      description:
        'Changes the name that other members see, and the preferences of clients: time zone, language, locale, first day of the week, theme.',
      shapes: { body: shapes.UpdateUser, reply: shapes.Profile },
      handle: (caller, { body }) => profile.update(caller, body),
    }),
    route('POST /auth/change-email', {
      ...own,
      tier: 'auth',
      name: 'changeEmail',
      summary: 'Change the e-mail address, with a confirmation of the old and the new one',
      description:
        'Mails a link to the present address, and after its approval a link to the new address.',
      errors: ['SESSION_NOT_FRESH'],
      shapes: { body: shapes.ChangeEmail, reply: shapes.Sent },
      handle: (caller, { body }) => profile.changeEmail(caller, body),
    }),
    route('GET /auth/change-email', {
      ...guarded,
      name: 'showChangeEmailPage',
      summary: 'The page of the links in these mails; using them takes the POST',
      description: 'Shows a button to a browser. It changes nothing.',
      errors: ['GONE'],
      shapes: { query: shapes.LinkQuery },
      handle: (caller, { query }) => profile.showChange(caller, query.token ?? ''),
    }),
    route('POST /auth/change-email/confirm', {
      ...guarded,
      accepts: 'form',
      name: 'confirmEmailChange',
      summary: 'Approve or verify a change of address',
      description: 'Takes the token of either mail. The address changes when both are confirmed.',
      errors: ['GONE'],
      shapes: { body: shapes.ConfirmEmailChange, reply: shapes.EmailChangeState },
      handle: (caller, { body }) => profile.confirmChange(caller, body),
    }),
  ]
}
