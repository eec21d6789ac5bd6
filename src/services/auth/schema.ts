import { Type } from 'typebox'
import type { Static } from 'typebox'
import { nullable, Timestamp } from '../shapes.ts'

const Email = Type.String({ minLength: 1, maxLength: 320 })
/** Wide here: what a new password must be is the rule's to say. */
const Password = Type.String({ minLength: 1, maxLength: 1_024 })
/** The password of whoever changes how an account is reached, asked for once more. */
export const OwnPassword = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description:
    'Your present password; without one, sign in at most 15 minutes before. A wrong one is 400 VALIDATION_ERROR with the detail wrong_password.',
})
const NewPassword = Type.String({
  minLength: 1,
  maxLength: 1_024,
  description: '10 to 256 characters, and none of the first that anybody guesses.',
})
const Token = Type.String({ minLength: 1, maxLength: 256 })
const Name = Type.String({ minLength: 1, maxLength: 400 })

export const SignUp = Type.Object({ name: Name, email: Email, password: NewPassword })
export type SignUp = Static<typeof SignUp>

export const SignUpReply = Type.Object({
  email: Type.String(),
  verificationRequired: Type.Boolean({
    description: 'True: the account can be used once the link of the mail was opened.',
  }),
  invitationRequired: Type.Boolean({
    description:
      'True: the mail is sent to an address with an open invitation to a workspace, and to no other.',
  }),
})
export type SignUpReply = Static<typeof SignUpReply>

export const LinkQuery = Type.Object({ token: Type.Optional(Type.String({ maxLength: 256 })) })

export const VerifyEmail = Type.Object({
  token: Token,
  password: Type.Optional(
    Type.String({
      maxLength: 1_024,
      description: 'The one of the sign-up; needed in any other browser than that of the sign-up.',
    }),
  ),
})
export type VerifyEmail = Static<typeof VerifyEmail>

export const AddressOnly = Type.Object({ email: Email })
export const Sent = Type.Object({
  sent: Type.Boolean({ description: 'True whether or not the address has an account.' }),
})

export const SignIn = Type.Object({ email: Email, password: Password })
export type SignIn = Static<typeof SignIn>

export const Person = Type.Object({
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  emailVerified: Type.Boolean(),
  hasPassword: Type.Boolean(),
  createdAt: Timestamp,
})
export type Person = Static<typeof Person>

/** Who is signed in, and where. Also the answer to every finished sign-in. */
export const SignedIn = Type.Object({
  user: Person,
  session: Type.Object({ id: Type.String(), createdAt: Timestamp, expiresAt: Timestamp }),
  workspace: nullable(
    Type.Object({ id: Type.String(), name: Type.String(), isSuspended: Type.Boolean() }),
  ),
  role: nullable(Type.String()),
})
export type SignedIn = Static<typeof SignedIn>

export const SignInReply = Type.Partial(
  Type.Object({
    ...SignedIn.properties,
    twoFactorRequired: Type.Boolean({
      description: 'True: nobody is signed in before POST /auth/two-factor/verify.',
    }),
  }),
)
export type SignInReply = Static<typeof SignInReply>

export const SessionEntry = Type.Object({
  id: Type.String(),
  isCurrent: Type.Boolean(),
  method: Type.String(),
  ip: nullable(Type.String()),
  userAgent: nullable(Type.String()),
  createdAt: Timestamp,
  lastSeenAt: Timestamp,
  expiresAt: Timestamp,
})
export type SessionEntry = Static<typeof SessionEntry>

export const ResetPassword = Type.Object({ token: Token, password: NewPassword })
export type ResetPassword = Static<typeof ResetPassword>
export const PasswordReset = Type.Object({ reset: Type.Boolean() })

export const ChangePassword = Type.Object({
  currentPassword: Type.Optional(OwnPassword),
  newPassword: NewPassword,
})
export type ChangePassword = Static<typeof ChangePassword>

export const UpdatePerson = Type.Object({ name: Type.Optional(Name) })
export type UpdatePerson = Static<typeof UpdatePerson>

export const ChangeEmail = Type.Object({ newEmail: Email, password: Type.Optional(OwnPassword) })
export type ChangeEmail = Static<typeof ChangeEmail>
export const ConfirmEmailChange = Type.Object({
  token: Token,
  password: Type.Optional(
    Type.String({
      maxLength: 1_024,
      description:
        'Of the account; needed for the link that went to the new address, outside of a session of that account.',
    }),
  ),
})
export type ConfirmEmailChange = Static<typeof ConfirmEmailChange>
export const EmailChangeState = Type.Object({
  changed: Type.Boolean({ description: 'False while the other address has not confirmed.' }),
})
export type EmailChangeState = Static<typeof EmailChangeState>

export const Ok = Type.Object({ ok: Type.Boolean() })
