import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

type Text = string | number | Uint8Array | CborMap
type CborMap = Map<string | number, Text>

/** Faults of a browser, or of an attacker in between. */
export type Twist = {
  origin?: string
  challenge?: string
  rpId?: string
  isUserVerified?: boolean
  /** Replaces the authenticator's own count. */
  counter?: number
  userHandle?: string
}

const PRESENT = 0x01
const VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/**
 * A browser and its authenticator with one P-256 key, as WebAuthn describes them: client data with
 * origin and challenge, authenticator data with the hash of the RP id, and an ES256 signature.
 */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  readonly id = randomBytes(32).toString('base64url')
  counter = 0
  userHandle = ''

  constructor(origin: string) {
    this.#origin = origin
  }

  register(
    options: PublicKeyCredentialCreationOptionsJSON,
    twist: Twist = {},
  ): RegistrationResponseJSON {
    this.userHandle = options.user.id
    const clientData = this.#clientData('webauthn.create', options.challenge, twist)
    const attested = Buffer.concat([
      Buffer.alloc(16),
      uint(32, 2),
      Buffer.from(this.id, 'base64url'),
      this.#coseKey(),
    ])
    const attestation = cbor(
      new Map<string, Text>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', this.#authData(options.rp.id!, HAS_CREDENTIAL, attested, twist)],
      ]),
    )
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      },
    }
  }

  signIn(
    options: PublicKeyCredentialRequestOptionsJSON,
    twist: Twist = {},
  ): AuthenticationResponseJSON {
    this.counter = twist.counter ?? this.counter + 1
    const clientData = this.#clientData('webauthn.get', options.challenge, twist)
    const authData = this.#authData(options.rpId!, 0, Buffer.alloc(0), twist)
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()])
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
        userHandle: twist.userHandle ?? this.userHandle,
      },
    }
  }

  #clientData(type: string, challenge: string, twist: Twist): Buffer {
    return Buffer.from(
      JSON.stringify({
        type,
        challenge: twist.challenge ?? challenge,
        origin: twist.origin ?? this.#origin,
        crossOrigin: false,
      }),
    )
  }

  #authData(rpId: string, flags: number, attested: Buffer, twist: Twist): Buffer {
    const verified = (twist.isUserVerified ?? true) ? VERIFIED : 0
    return Buffer.concat([
      createHash('sha256')
        .update(twist.rpId ?? rpId)
        .digest(),
      Buffer.of(PRESENT | verified | flags),
      uint(this.counter, 4),
      attested,
    ])
  }

  /** COSE: kty EC2, alg ES256, crv P-256, x, y. */
  #coseKey(): Buffer {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' })
    return cbor(
      new Map<number, Text>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    )
  }
}

function uint(value: number, bytes: number): Buffer {
  const out = Buffer.alloc(bytes)
  out.writeUIntBE(value, 0, bytes)
  return out
}

/** The few kinds of CBOR (RFC 8949) that an attestation without a statement needs. */
function cbor(value: Text): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  const entries = Array.from(value, ([key, each]) => Buffer.concat([cbor(key), cbor(each)]))
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, value: number): Buffer {
  if (value < 24) return Buffer.of((major << 5) | value)
  if (value < 256) return Buffer.of((major << 5) | 24, value)
  return Buffer.concat([Buffer.of((major << 5) | 25), uint(value, 2)])
}
