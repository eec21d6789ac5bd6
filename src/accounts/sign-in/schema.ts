import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import { ROLES } from '../../platform/routes/principal.ts'
import {
  PlanCapabilities,
  CreatedAt,
  flag,
  idShape,
  nullable,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { TimeZoneInput } from '../../platform/resources/zone.ts'
import { Preferences, UpdatePreferences } from './preferences.ts'

const NAME_MAX_CHARS = 100

const email = documented(
  text('The e-mail address.', 'user@example.com', { minLength: 1, maxLength: 320 }),
  { maxLength: 254, format: 'email' },
)
/** Wide limits: password-rule.ts checks a new password. */
const password = text('The password.', 'quiet harbour lamp', { minLength: 1, maxLength: 1_024 })
export const OwnPassword = described(
  password,
  'Your current password. An account without a password needs a sign-in of the last 15 minutes instead. A wrong password is 400 VALIDATION_ERROR with the detail wrong_password.',
)
const newPassword = documented(
  described(password, '10 to 256 characters, and not easy to guess.'),
  { minLength: 10, maxLength: 256 },
)
const EXAMPLE_TOKEN = 't0k3nFr0mTheMa1l'
const token = text('The token of the mail.', EXAMPLE_TOKEN, { minLength: 1, maxLength: 256 })
const name = text('Name of the user.', 'Example User', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})

export const SignUp = object('SignUp', {
  name,
  email,
  password: newPassword,
  invitationToken: Type.Optional(
    text(
      'The token of an invitation to this address, which the new account accepts. A token from the invitation mail proves the address, so no other mail is sent.',
      EXAMPLE_TOKEN,
      { maxLength: 256 },
    ),
  ),
})
export type SignUp = Static<typeof SignUp>

const invitationRefused = text(
  'Why the account could not join the workspace of the invitation; absent if it could.',
  'This invitation was canceled.',
)

export const SignUpReply = object('SignedUp', {
  email: text('The address that the mail went to.', 'user@example.com'),
  verificationRequired: flag(
    'True: the account can be used after the link in the mail was opened.',
    true,
  ),
  invitationRequired: flag(
    'True: only an address with an open invitation to a workspace gets the mail.',
    false,
  ),
  signedIn: flag(
    'True: the token of an invitation mail has proven the address, and this response sets the session cookie.',
    false,
  ),
  invitationRefused: Type.Optional(invitationRefused),
})
export type SignUpReply = Static<typeof SignUpReply>

export const LinkQuery = Type.Object({
  token: Type.Optional(text('The token of the mail.', EXAMPLE_TOKEN, { maxLength: 256 })),
})

export const VerifyEmail = object('VerifyEmail', {
  token,
  password: Type.Optional(
    text(
      'The password chosen at sign-up; required in a browser that did not start the sign-up.',
      'quiet harbour lamp',
      { maxLength: 1_024 },
    ),
  ),
})
export type VerifyEmail = Static<typeof VerifyEmail>

export const AddressOnly = object('EmailAddress', { email })
export const Sent = object('MailSent', {
  sent: flag('True whether or not the address has an account.', true),
})

export const SignIn = object('SignIn', { email, password })
export type SignIn = Static<typeof SignIn>

export const User = object('User', {
  id: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('Address of the user.', 'user@example.com'),
  emailVerified: flag('Whether the address was verified.', true),
  hasPassword: flag('Whether the account has a password.', true),
  createdAt: CreatedAt,
})
export type User = Static<typeof User>

const Session = object('Session', {
  id: idShape('ses', 'Id of the session.'),
  createdAt: described(Timestamp, 'When the user signed in.'),
  expiresAt: described(Timestamp, 'When it ends unless it is used.', '2026-01-31T00:00:00.000Z'),
})

const ActiveWorkspace = object('ActiveWorkspace', {
  id: idShape('wsp', 'Id of the workspace.'),
  name: text('Its name.', 'Marketing'),
  plan: text('Id of its plan.', 'self_hosted'),
  timezone: described(
    TimeZoneInput,
    'IANA name of its time zone, for members without one of their own.',
  ),
  isSuspended: flag(
    'Suspended by the operator: its API requests are refused and its links do not redirect.',
    false,
  ),
})

export const SignedIn = object('SignedIn', {
  user: described(User, 'The signed-in user.'),
  session: described(Session, 'The session of the cookie.'),
  workspace: described(nullable(ActiveWorkspace), 'The workspace that requests act in.'),
  role: nullable(
    described(Type.String({ enum: [...ROLES] }), 'The role in that workspace.', 'owner'),
  ),
  capabilities: described(
    nullable(PlanCapabilities),
    'Features that the plan of that workspace includes; the role decides what the user may do with them.',
  ),
  preferences: described(Preferences, 'What the user has chosen.'),
  isOperator: flag('Whether the user may manage this server, under `/operator`.', false),
  freshUntil: nullable(
    described(
      Timestamp,
      'Until when no request of this session is refused as SESSION_NOT_FRESH; null: that time is over.',
    ),
  ),
})
export type SignedIn = Static<typeof SignedIn>

export const SignInReply = named(
  'SignInResult',
  described(
    Type.Partial(
      Type.Object({
        ...SignedIn.properties,
        twoFactorRequired: flag(
          'True: finish the sign-in with POST /auth/two-factor/verify; the other fields are absent.',
          true,
        ),
        invitationRefused,
      }),
    ),
    'The signed-in user, or that a code is required.',
  ),
)
export type SignInReply = Static<typeof SignInReply>

export const SessionEntry = object('SessionEntry', {
  id: idShape('ses', 'Id of the session.'),
  isCurrent: flag('Whether it is the session of this request.', true),
  method: text('How the user signed in.', 'password'),
  ip: nullable(text('The IP address of the sign-in.', '203.0.113.9')),
  userAgent: nullable(text('The browser of the sign-in.', 'Mozilla/5.0')),
  createdAt: described(Timestamp, 'When the user signed in.'),
  lastSeenAt: described(Timestamp, 'When it was last used.'),
  expiresAt: described(Timestamp, 'When it ends unless it is used.', '2026-01-31T00:00:00.000Z'),
})
export type SessionEntry = Static<typeof SessionEntry>

export const ResetPassword = object('ResetPassword', { token, password: newPassword })
export type ResetPassword = Static<typeof ResetPassword>
export const PasswordReset = object('PasswordReset', { reset: flag('Always true.', true) })

export const ChangePassword = object('ChangePassword', {
  currentPassword: Type.Optional(OwnPassword),
  newPassword,
})
export type ChangePassword = Static<typeof ChangePassword>

export const SessionQuery = Type.Object({
  optional: Type.Optional(
    flag('True: without a valid session the answer is 200 with `data: null`, not 401.', true),
  ),
})
export type SessionQuery = Static<typeof SessionQuery>

export const Profile = object('Profile', {
  ...User.properties,
  preferences: described(Preferences, 'What the user has chosen.'),
})
export type Profile = Static<typeof Profile>

export const UpdateUser = object('UpdateUser', {
  name: Type.Optional(name),
  preferences: Type.Optional(
    described(
      UpdatePreferences,
      'Changes the fields that are sent; null resets a field. An unknown field is refused.',
    ),
  ),
})
export type UpdateUser = Static<typeof UpdateUser>

export const ChangeEmail = object('ChangeEmail', {
  newEmail: described(email, 'The new address.', 'ada.l@example.com'),
  password: Type.Optional(OwnPassword),
})
export type ChangeEmail = Static<typeof ChangeEmail>
export const ConfirmEmailChange = object('ConfirmEmailChange', {
  token,
  password: Type.Optional(
    text(
      'Password of the account; required for the link to the new address, unless the request has a session of that account.',
      'quiet harbour lamp',
      { maxLength: 1_024 },
    ),
  ),
})
export type ConfirmEmailChange = Static<typeof ConfirmEmailChange>
export const EmailChangeState = object('EmailChange', {
  changed: flag('False until the other address has confirmed.', false),
})
export type EmailChangeState = Static<typeof EmailChangeState>

export const Ok = object('AuthStatus', { ok: flag('Always true.', true) })
