import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuseBadTexts } from './bad-text.ts'
import { invalid } from './errors.ts'
import type { Secrets } from './secrets.ts'

const MAC_BYTES = 16
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/

/**
 * Parameters that a client carries from one answer to the next request without reading them, such as
 * cursors: `<base64url of JSON>.<base64url of 128 bits of HMAC-SHA256>`. They are readable, and
 * nobody without the key of this installation can make or change one.
 */
export type Opaque<T> = {
  seal(workspaceId: string, value: T): string
  /**
   * Returns what {@link seal} was given, for the same workspace.
   * @param path the parameter, for the error
   * @throws ApiError VALIDATION_ERROR for any other text
   */
  open(workspaceId: string, text: string, path: string): T
}

/**
 * @param purpose of one parameter and one form of its value (`listen-cursor-1`): a value of another
 *   purpose does not open
 */
export function createOpaque<T>(secrets: Pick<Secrets, 'keyFor'>, purpose: string): Opaque<T> {
  const key = secrets.keyFor(`opaque:${purpose}`)

  function macOf(workspaceId: string, payload: string): Buffer {
    return createHmac('sha256', key)
      .update(`${workspaceId}\n${payload}`)
      .digest()
      .subarray(0, MAC_BYTES)
  }

  return {
    seal(workspaceId, value) {
      const payload = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${payload}.${macOf(workspaceId, payload).toString('base64url')}`
    },
    open(workspaceId, text, path) {
      const [, payload, mac] = SHAPE.exec(text) ?? []
      const isOurs =
        payload !== undefined &&
        timingSafeEqual(Buffer.from(mac!, 'base64url'), macOf(workspaceId, payload))
      if (!isOurs) throw invalid(path, `${path} must be one that an earlier answer gave.`)
      const value = JSON.parse(Buffer.from(payload, 'base64url').toString()) as T
      // A sealed value is no column either: the text in it may come from a client.
      refuseBadTexts(value, path)
      return value
    },
  }
}
