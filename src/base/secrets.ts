import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { ApiError } from './errors.ts'

const IV_BYTES = 12
const TAG_BYTES = 16
const VERSION = 1

export type Secrets = ReturnType<typeof createSecrets>

/** Derives one key per purpose from the secret of the operator. */
export function createSecrets(secretKey: string) {
  const root = createHash('sha256').update(secretKey).digest()
  const keys = new Map<string, Buffer>()

  /** 32 bytes bound to a purpose (`visitor`, `cookie`, …). */
  function keyFor(purpose: string): Buffer {
    let key = keys.get(purpose)
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', root, '', purpose, 32))
      keys.set(purpose, key)
    }
    return key
  }

  /**
   * Encrypts for the disk (AES-256-GCM): version, IV, tag, text.
   * @param boundTo the column and row of the secret (`webhook_endpoints.secret:whe_…`): elsewhere it cannot be opened
   */
  function seal(purpose: string, boundTo: string, text: string | Uint8Array): Buffer {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), iv, {
      authTagLength: TAG_BYTES,
    })
    cipher.setAAD(Buffer.from(boundTo))
    const body = Buffer.concat([cipher.update(Buffer.from(text)), cipher.final()])
    return Buffer.concat([Buffer.of(VERSION), iv, cipher.getAuthTag(), body])
  }

  /**
   * @throws ApiError SECRET_KEY_CHANGED for another key, another `boundTo` or changed data; its `cause`
   *   names the purpose, for the log
   */
  function open(purpose: string, boundTo: string, sealed: Uint8Array): string {
    return openBytes(purpose, boundTo, sealed).toString('utf8')
  }

  /** As {@link open}, but returns bytes. */
  function openBytes(purpose: string, boundTo: string, sealed: Uint8Array): Buffer {
    const bytes = Buffer.from(sealed)
    if (bytes[0] !== VERSION) throw unreadable(`a sealed secret (${purpose}) of an unknown version`)
    const iv = bytes.subarray(1, 1 + IV_BYTES)
    const tag = bytes.subarray(1 + IV_BYTES, 1 + IV_BYTES + TAG_BYTES)
    const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), iv, {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(boundTo))
    decipher.setAuthTag(tag)
    const body = bytes.subarray(1 + IV_BYTES + TAG_BYTES)
    try {
      return Buffer.concat([decipher.update(body), decipher.final()])
    } catch (cause) {
      throw unreadable(
        `a sealed secret (${purpose}) does not open: SECRET_KEY may have changed`,
        cause,
      )
    }
  }

  return { keyFor, seal, open, openBytes }
}

function unreadable(why: string, cause?: unknown): ApiError {
  return Object.assign(new ApiError('SECRET_KEY_CHANGED'), { cause: new Error(why, { cause }) })
}
