import { createHmac, timingSafeEqual } from 'node:crypto'
import { refuseBadTexts } from '../routes/text-checks.ts'
import { invalid } from './errors.ts'
import type { Secrets } from './secrets.ts'

const MAC_BYTES = 16
const SHAPE = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{22})$/

export type Opaque<T> = ReturnType<typeof createOpaque<T>>

/**
 * Values that a client passes to its next request, such as cursors: readable, but only this installation can make
 * one.
 * @param purpose one parameter and version (`listen-cursor-1`)
 */
export function createOpaque<T>(secrets: Pick<Secrets, 'keyFor'>, purpose: string) {
  const key = secrets.keyFor(`opaque:${purpose}`)

  function toMac(workspaceId: string, payload: string): Buffer {
    return createHmac('sha256', key)
      .update(`${workspaceId}\n${payload}`)
      .digest()
      .subarray(0, MAC_BYTES)
  }

  function seal(workspaceId: string, value: T): string {
    const payload = Buffer.from(JSON.stringify(value)).toString('base64url')
    return `${payload}.${toMac(workspaceId, payload).toString('base64url')}`
  }

  /** @throws ApiError VALIDATION_ERROR for text that {@link seal} did not make for this workspace */
  function open(workspaceId: string, text: string, path: string): T {
    const [, payload, mac] = SHAPE.exec(text) ?? []
    const isOurs =
      payload !== undefined &&
      timingSafeEqual(Buffer.from(mac!, 'base64url'), toMac(workspaceId, payload))
    if (!isOurs) throw invalid(path, `${path} must be a value that an earlier answer returned.`)
    const value = JSON.parse(Buffer.from(payload, 'base64url').toString()) as T
    // Text inside a sealed value may come from a client.
    refuseBadTexts(value, path)
    return value
  }

  return { seal, open }
}
