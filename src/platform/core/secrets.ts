import {
  createCipheriv,
  createDecipheriv,
  createHash,
  hkdfSync,
  randomBytes,
  hash,
} from 'node:crypto'
import { ApiError } from './errors.ts'
import { memoize } from './functions.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 1
const MAX_PURPOSES = 1_000

export type Secrets = ReturnType<typeof createSecrets>

export type FormerKey = { purpose: string; key: Buffer; untilMs: number }

type SecretsOptions = {
  also?: string | null
  /**
   * Keys that are used for their purpose instead of derived ones, because the data that depends on them cannot be
   * made again.
   */
  kept?: ReadonlyMap<string, Buffer>
  former?: readonly FormerKey[]
}

export type Keys = Pick<Secrets, 'keyFor' | 'keyOfTime'>

export function createSecrets(
  secretKey: string,
  { also = null, kept = new Map(), former = [] }: SecretsOptions = {},
) {
  const derive = createDerivation(secretKey)
  const deriveAlso = also === null ? null : createDerivation(also)

  function keyFor(purpose: string): Buffer {
    return kept.get(purpose) ?? derive(purpose)
  }

  function keyOfTime(purpose: string, atMs: number): Buffer {
    const later = former.filter((key) => key.purpose === purpose && key.untilMs > atMs)
    return later.toSorted((a, b) => a.untilMs - b.untilMs)[0]?.key ?? keyFor(purpose)
  }

  /**
   * AES-256-GCM: version, IV, tag, text.
   * @param boundTo column and row (`webhook_endpoints.secret:whe_…`): the secret opens nowhere else
   */
  function seal(purpose: string, boundTo: string, text: string | Uint8Array): Buffer {
    return sealWith(derive(purpose), boundTo, text)
  }

  /** @throws ApiError SECRET_KEY_CHANGED */
  function open(purpose: string, boundTo: string, sealed: Uint8Array): string {
    return openBytes(purpose, boundTo, sealed).toString('utf8')
  }

  function openBytes(purpose: string, boundTo: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed)
    if (bytes[0] !== VERSION) throw unreadable(`a sealed secret (${purpose}) of an unknown version`)
    const iv = bytes.subarray(1, 1 + IV_BYTES)
    const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
    const body = bytes.subarray(1 + IV_BYTES + TAG_BYTES)
    const openWith = (key: Buffer) => {
      const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(boundTo))
      decipher.setAuthTag(tag)
      return Buffer.concat([decipher.update(body), decipher.final()])
    }
    try {
      return openWith(derive(purpose))
    } catch (cause) {
      try {
        if (deriveAlso) return openWith(deriveAlso(purpose))
      } catch {
        // Neither key opens it.
      }
      throw unreadable(
        `a sealed secret (${purpose}) does not open: SECRET_KEY may have changed`,
        cause,
      )
    }
  }

  return { keyFor, keyOfTime, seal, open, openBytes }
}

function sealWith(key: Buffer, boundTo: string, text: string | Uint8Array): Buffer {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES })
  cipher.setAAD(Buffer.from(boundTo))
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  const body = [cipher.update(bytes), cipher.final()]
  return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), ...body])
}

function createDerivation(secretKey: string): (purpose: string) => Buffer {
  const root = createHash('sha256').update(secretKey).digest()
  return memoize(MAX_PURPOSES, (purpose) => Buffer.from(hkdfSync('sha256', root, '', purpose, 32)))
}

function unreadable(why: string, cause?: unknown): ApiError {
  return Object.assign(new ApiError('SECRET_KEY_CHANGED'), { cause: new Error(why, { cause }) })
}

const TOKEN_BYTES = 32

export function newToken(): { token: string; hash: Buffer } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  return { token, hash: hashToken(token) }
}

/** SHA-256 without a salt is enough: nobody can guess 256 random bits. */
export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}
