import { accountRoute } from '../../base/route.ts'
import { IdParams, Paged, PageMeta } from '../shapes.ts'
import { Type } from 'typebox'
import type { PasswordChange } from './password.ts'
import type { Profile } from './profile.ts'
import type { Reset } from './reset.ts'
import {
  AddressOnly,
  ChangeEmail,
  ChangePassword,
  ConfirmEmailChange,
  EmailChangeState,
  LinkQuery,
  Ok,
  PasswordReset,
  Person,
  ResetPassword,
  Sent,
  SessionEntry,
  SignedIn,
  SignIn as SignInBody,
  SignInReply,
  SignUp as SignUpBody,
  SignUpReply,
  UpdatePerson,
  VerifyEmail,
} from './schema.ts'
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
  const tag = 'Sign-up'
  return [
    accountRoute({
      method: 'POST',
      path: '/auth/sign-up/email',
      credential: 'none',
      tier: 'auth',
      status: 201,
      summary: 'Sign up with an e-mail address; the same answer for every address',
      tag,
      shapes: { body: SignUpBody, reply: SignUpReply },
      handle: (caller, { body }) => signUp.signUp(caller, body),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/verify-email',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'The page of the link in a verification mail; using it takes the POST',
      tag,
      shapes: { query: LinkQuery },
      handle: (caller, { query }) => verification.show(caller, query.token ?? ''),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/verify-email',
      credential: 'none',
      accepts: 'form',
      tier: 'auth',
      status: 200,
      summary: 'Verify the address of a sign-up, and sign in',
      tag,
      shapes: { body: VerifyEmail, reply: SignInReply },
      handle: (caller, { body }) => verification.verify(caller, body),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/send-verification-email',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Send the verification mail again; the same answer for every address',
      tag,
      shapes: { body: AddressOnly, reply: Sent },
      handle: (caller, { body }) => signUp.resend(caller, body.email),
    }),
  ]
}

const signInRoutes = ({ signIn, sessions }: Auth) => {
  const tag = 'Sign-in and sessions'
  return [
    accountRoute({
      method: 'POST',
      path: '/auth/sign-in/email',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Sign in with e-mail address and password',
      tag,
      shapes: { body: SignInBody, reply: SignInReply },
      handle: (caller, { body }) => signIn.withPassword(caller, body),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/sign-out',
      credential: 'none',
      tier: 'api',
      status: 204,
      summary: 'Sign out',
      tag,
      shapes: {},
      handle: (caller) => sessions.signOut(caller),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/session',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'Who is signed in, and in which workspace',
      tag,
      shapes: { reply: SignedIn },
      handle: (caller) => signIn.current(caller),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/sessions',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'List the sessions of the signed-in person',
      tag,
      shapes: { query: Paged, reply: Type.Array(SessionEntry), meta: PageMeta },
      handle: (caller, { query }) => sessions.list(caller, query),
    }),
    accountRoute({
      method: 'DELETE',
      path: '/auth/sessions/:id',
      credential: 'session',
      tier: 'api',
      status: 204,
      summary: 'End a session',
      tag,
      shapes: { params: IdParams },
      handle: (caller, { params }) => sessions.remove(caller, params.id),
    }),
    accountRoute({
      method: 'DELETE',
      path: '/auth/sessions',
      credential: 'session',
      tier: 'api',
      status: 204,
      summary: 'End all other sessions',
      tag,
      shapes: {},
      handle: (caller) => sessions.removeOthers(caller),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/ok',
      credential: 'none',
      tier: 'api',
      status: 200,
      summary: 'Whether the auth service answers',
      tag,
      shapes: { reply: Ok },
      handle: async () => ({ data: { ok: true } }),
    }),
  ]
}

const passwordRoutes = ({ reset, passwordChange }: Auth) => {
  const tag = 'Passwords'
  return [
    accountRoute({
      method: 'POST',
      path: '/auth/request-password-reset',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'Ask for a new password by mail; the same answer for every address',
      tag,
      shapes: { body: AddressOnly, reply: Sent },
      handle: (caller, { body }) => reset.request(caller, body.email),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/reset-password',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'The page of the link in a reset mail; using it takes the POST',
      tag,
      shapes: { query: LinkQuery },
      handle: (_caller, { query }) => reset.show(query.token ?? ''),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/reset-password',
      credential: 'none',
      accepts: 'form',
      tier: 'auth',
      status: 200,
      summary: 'Set a new password with the token of a mail; ends all sessions',
      tag,
      shapes: { body: ResetPassword, reply: PasswordReset },
      handle: (caller, { body }) => reset.reset(caller, body),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/change-password',
      credential: 'session',
      tier: 'auth',
      status: 200,
      summary: 'Change the password; ends all other sessions',
      tag,
      shapes: { body: ChangePassword, reply: SignedIn },
      handle: (caller, { body }) => passwordChange.change(caller, body),
    }),
  ]
}

const profileRoutes = ({ profile }: Auth) => {
  const tag = 'Profile'
  return [
    accountRoute({
      method: 'PATCH',
      path: '/auth/user',
      credential: 'session',
      tier: 'api',
      status: 200,
      summary: 'Change the name',
      tag,
      shapes: { body: UpdatePerson, reply: Person },
      handle: (caller, { body }) => profile.update(caller, body),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/change-email',
      credential: 'session',
      tier: 'auth',
      status: 200,
      summary: 'Change the e-mail address; the old and the new one are asked by mail',
      tag,
      shapes: { body: ChangeEmail, reply: Sent },
      handle: (caller, { body }) => profile.changeEmail(caller, body),
    }),
    accountRoute({
      method: 'GET',
      path: '/auth/change-email',
      credential: 'none',
      tier: 'auth',
      status: 200,
      summary: 'The page of the links in these mails; using them takes the POST',
      tag,
      shapes: { query: LinkQuery },
      handle: (caller, { query }) => profile.showChange(caller, query.token ?? ''),
    }),
    accountRoute({
      method: 'POST',
      path: '/auth/change-email/confirm',
      credential: 'none',
      accepts: 'form',
      tier: 'auth',
      status: 200,
      summary: 'Approve or verify a change of address',
      tag,
      shapes: { body: ConfirmEmailChange, reply: EmailChangeState },
      handle: (caller, { body }) => profile.confirmChange(caller, body),
    }),
  ]
}
