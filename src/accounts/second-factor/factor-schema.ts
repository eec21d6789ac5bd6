import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  flag,
  idShape,
  integer,
  LastUsedAt,
  nullable,
  oneOf,
  PageMeta,
  text,
} from '../../platform/resources/shapes.ts'
import { OwnPassword, SignedIn } from '../sign-in/schema.ts'

const code = text('Six digits of the authenticator app, or a backup code.', '123456', {
  minLength: 1,
  maxLength: 32,
})
const redirect = Type.Optional(
  text('Path of this server that a browser goes to; `/` for anything else.', '/'),
)
const password = Type.Optional(OwnPassword)
const enabled = flag('Whether two-factor sign-in is on.', true)

export const EnableTwoFactor = object('EnableTwoFactor', { password })
export const VerifyTwoFactor = object('VerifyTwoFactor', { code, redirect })
export const DisableTwoFactor = object('DisableTwoFactor', { password, code })

const backupCodes = described(Type.Array(Type.String()), 'Shown only once. Each code works once.', [
  'abcd-efgh-jkmn',
])

export const TwoFactorSetup = object('TwoFactorSetup', {
  secret: text('Base 32, to be typed into the app.', 'JBSWY3DPEHPK3PXP'),
  otpauthUrl: text('For a QR code.', 'otpauth://totp/Signpost:user@example.com?secret=JBSWY3DP'),
  backupCodes,
})
export const BackupCodes = object('NewBackupCodes', { backupCodes })
export const TwoFactorState = object('TwoFactorState', {
  enabled,
  backupCodesLeft: integer('Backup codes that are not used yet.', 10),
})
export const TwoFactorOff = object('TwoFactorOff', { enabled })

export const TwoFactorResult = named(
  'TwoFactorResult',
  Type.Partial(Type.Object({ ...SignedIn.properties, enabled })),
)

function webauthnObject<T>(description: string) {
  return described(Type.Unsafe<T>({ type: 'object', additionalProperties: true }), description, {
    id: 'AQIDBAUGBwg',
  })
}

export const CreationOptions = named(
  'PasskeyCreationOptions',
  webauthnObject<PublicKeyCredentialCreationOptionsJSON>(
    'For PublicKeyCredential.parseCreationOptionsFromJSON().',
  ),
)
export const RequestOptions = named(
  'PasskeyRequestOptions',
  webauthnObject<PublicKeyCredentialRequestOptionsJSON>(
    'For PublicKeyCredential.parseRequestOptionsFromJSON().',
  ),
)

const passkeyName = text('The name of the passkey.', 'Laptop', {
  minLength: 1,
  maxLength: 100,
})

export const RegisterPasskey = object('RegisterPasskey', {
  name: passkeyName,
  response: webauthnObject<RegistrationResponseJSON>('PublicKeyCredential.toJSON()'),
})
export const PasskeySignIn = object('PasskeySignIn', {
  response: webauthnObject<AuthenticationResponseJSON>('PublicKeyCredential.toJSON()'),
})
export const RenamePasskey = object('UpdatePasskey', { name: passkeyName })

export const Passkey = object('Passkey', {
  id: idShape('psk', 'Id of the passkey.'),
  name: text('Its name.', 'Laptop'),
  isSynced: flag('Copied to other devices by a password manager.', true),
  createdAt: CreatedAt,
  lastUsedAt: nullable(LastUsedAt),
})
export type Passkey = Static<typeof Passkey>

export const SignInProvider = object('SignInProvider', {
  id: text('Its id in paths.', 'google'),
  name: text('Its display name.', 'Google'),
})

const signInOptions = {
  signup: oneOf(
    ['open', 'invite', 'closed'],
    'Who may create an account: every visitor, an address with an open invitation, or only the operator.',
    'open',
  ),
  emailVerificationRequired: flag(
    'Whether an account can be used only after the link in a mail was opened.',
    true,
  ),
  mail: oneOf(
    ['smtp', 'outbox'],
    'Where mails go: to a mail server, or to the folder `outbox` of the data directory, where the operator reads them.',
    'smtp',
  ),
  outboxPath: nullable(
    text(
      'Path of that folder, for a browser on the same machine as the server; null for any other.',
      '/srv/signpost/data/outbox',
    ),
  ),
  shortDomain: text(
    'Host of short links without a branded domain, with its port unless it is the default one.',
    'links.example.com',
  ),
  passkeys: flag('Whether browsers can use passkeys at the address of this server.', true),
  password: described(
    Type.Object({
      minLength: integer('The smallest number of characters.', 10),
      maxLength: integer('The largest number of characters.', 256),
    }),
    'Length of a new password, which must also not be easy to guess.',
  ),
}
const SignInOptions = Type.Object(signInOptions)
export type SignInOptions = Static<typeof SignInOptions>

export const ProvidersMeta = object('ProvidersMeta', { ...PageMeta.properties, ...signInOptions })

export const ProviderParams = Type.Object({
  provider: text('Id of the provider.', 'google', { minLength: 1, maxLength: 64 }),
})
export const StartQuery = Type.Object({ redirect })
export const LinkStart = object('LinkStart', {
  url: text(
    'Address of the provider, for the same browser to go to.',
    'https://accounts.example.com/authorize?client_id=signpost',
  ),
})
const protocolText = (description: string, example: string) =>
  Type.Optional(text(description, example, { maxLength: 8_192 }))
export const CallbackQuery = Type.Object({
  code: protocolText('The code of the provider.', '4/0AbCdEf'),
  state: protocolText('The state that was sent to the provider.', 'q9w8e7r6'),
  iss: protocolText('The issuer.', 'https://accounts.google.com'),
  error: protocolText('Why the provider refused.', 'access_denied'),
})

export const LinkedAccount = object('LinkedAccount', {
  id: idShape('acc', 'Id of the link to the provider.'),
  provider: text('Id of the provider.', 'google'),
  email: nullable(text('The address at the provider.', 'user@example.com')),
  createdAt: CreatedAt,
  lastUsedAt: LastUsedAt,
})
export type LinkedAccount = Static<typeof LinkedAccount>
