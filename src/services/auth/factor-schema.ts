import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { Type } from 'typebox'
import type { Static } from 'typebox'
import { nullable, Timestamp } from '../shapes.ts'
import { OwnPassword } from './schema.ts'

const Code = Type.String({
  minLength: 1,
  maxLength: 32,
  description: 'Six digits of the authenticator app, or a backup code.',
})

export const EnableTwoFactor = Type.Object({ password: Type.Optional(OwnPassword) })
export const VerifyTwoFactor = Type.Object({
  code: Code,
  redirect: Type.Optional(
    Type.String({ description: 'For forms: the path of this server that a browser goes to.' }),
  ),
})
export const DisableTwoFactor = Type.Object({ password: Type.Optional(OwnPassword), code: Code })

export const TwoFactorSetup = Type.Object({
  secret: Type.String({ description: 'Base 32, to be typed in.' }),
  otpauthUrl: Type.String({ description: 'For a QR code.' }),
  backupCodes: Type.Array(Type.String(), { description: 'Shown this once. Each works once.' }),
})
export const TwoFactorState = Type.Object({
  enabled: Type.Boolean(),
  backupCodesLeft: Type.Integer(),
})
export const TwoFactorOff = Type.Object({ enabled: Type.Boolean() })

/** Objects whose shape is the browser's own (WebAuthn, level 3, JSON forms). */
function webauthnObject<T>(description: string) {
  return Type.Unsafe<T>({ type: 'object', additionalProperties: true, description })
}

export const CreationOptions = webauthnObject<PublicKeyCredentialCreationOptionsJSON>(
  'For PublicKeyCredential.parseCreationOptionsFromJSON().',
)
export const RequestOptions = webauthnObject<PublicKeyCredentialRequestOptionsJSON>(
  'For PublicKeyCredential.parseRequestOptionsFromJSON().',
)

const PasskeyName = Type.String({ minLength: 1, maxLength: 400 })

export const RegisterPasskey = Type.Object({
  name: PasskeyName,
  response: webauthnObject<RegistrationResponseJSON>('PublicKeyCredential.toJSON()'),
})
export const PasskeySignIn = Type.Object({
  response: webauthnObject<AuthenticationResponseJSON>('PublicKeyCredential.toJSON()'),
})
export const RenamePasskey = Type.Object({ name: PasskeyName })

export const Passkey = Type.Object({
  id: Type.String(),
  name: Type.String(),
  isSynced: Type.Boolean({ description: 'Copied to other devices by a password keeper.' }),
  createdAt: Timestamp,
  lastUsedAt: nullable(Timestamp),
})
export type Passkey = Static<typeof Passkey>

export const SignInProvider = Type.Object({ id: Type.String(), name: Type.String() })

export const ProviderParams = Type.Object({
  provider: Type.String({ minLength: 1, maxLength: 64 }),
})
export const StartQuery = Type.Object({
  redirect: Type.Optional(
    Type.String({ description: 'Path of this server to come back to; `/` for anything else.' }),
  ),
})
export const LinkStart = Type.Object({
  url: Type.String({ description: 'Of the provider, for the same browser to go to.' }),
})
const ProtocolText = Type.Optional(Type.String({ maxLength: 8_192 }))
export const CallbackQuery = Type.Object({
  code: ProtocolText,
  state: ProtocolText,
  iss: ProtocolText,
  error: ProtocolText,
})

export const LinkedAccount = Type.Object({
  id: Type.String(),
  provider: Type.String(),
  email: nullable(Type.String()),
  createdAt: Timestamp,
  lastUsedAt: Timestamp,
})
export type LinkedAccount = Static<typeof LinkedAccount>
