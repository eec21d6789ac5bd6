import { SIZES } from '../../platform/limits/sizes.ts'
import type { IncomingMessage } from 'node:http'

export type FormProblem = 'formTooLarge' | 'formType' | 'formMalformed' | 'formTooSlow' | 'gone'
export type PasswordForm = { password: string } | { problem: FormProblem }

const MAX_BYTES = SIZES.passwordForm.bytes
const MAX_READ_MS = 10_000
const FIELD = 'password'
const URLENCODED = /^application\/x-www-form-urlencoded\s*(?:;\s*charset\s*=\s*"?utf-?8"?\s*)?;?$/i

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Reads the field `password` of an urlencoded form, bounded in bytes and time. */
export async function readPasswordForm(
  req: IncomingMessage,
  maxMs = MAX_READ_MS,
): Promise<PasswordForm> {
  const { headers } = req
  const length = headers['content-length']
  const isChunked = headers['transfer-encoding'] !== undefined
  if (!isChunked && Number(length ?? 0) === 0) return { password: '' }
  const encoding = headers['content-encoding'] ?? 'identity'
  if (!URLENCODED.test(headers['content-type'] ?? '') || encoding !== 'identity')
    return { problem: 'formType' }
  if (Number(length ?? 0) > MAX_BYTES) return { problem: 'formTooLarge' }
  const body = await readBody(req, maxMs)
  return typeof body === 'string' ? { problem: body } : parse(body)
}

/**
 * The password of an `Authorization: Basic` header, with any user name; null without one. For scripts:
 * browsers are not prompted for it.
 */
export function readBasicPassword(authorization: string | undefined): string | null {
  const [, encoded] = /^basic +([A-Za-z0-9+/_-]+={0,2}) *$/i.exec(authorization ?? '') ?? []
  if (encoded === undefined) return null
  const text = decode(() => utf8.decode(Buffer.from(encoded, 'base64')))
  const colon = text?.indexOf(':') ?? -1
  return colon === -1 ? null : text!.slice(colon + 1) || null
}

function readBody(req: IncomingMessage, maxMs: number): Promise<Buffer | FormProblem> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => settle('formTooSlow'), maxMs)
    const settle = (result: Buffer | FormProblem) => {
      clearTimeout(timer)
      req.off('data', onData).off('end', onEnd).off('close', onClose)
      resolve(result)
    }
    const onData = (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BYTES) settle('formTooLarge')
      else chunks.push(chunk)
    }
    const onEnd = () => settle(Buffer.concat(chunks))
    const onClose = () => settle('gone')
    req.on('data', onData).on('end', onEnd).on('close', onClose)
  })
}

/** Refuses a repeated field, since a proxy may have checked the other one. */
function parse(body: Buffer): PasswordForm {
  const text = decode(() => utf8.decode(body))
  if (text === null) return { problem: 'formMalformed' }
  let password: string | null = null
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=')
    const name = decodeField(at === -1 ? pair : pair.slice(0, at))
    if (name === null) return { problem: 'formMalformed' }
    if (name !== FIELD) continue
    const value = at === -1 ? '' : decodeField(pair.slice(at + 1))
    if (value === null || password !== null) return { problem: 'formMalformed' }
    password = value
  }
  return { password: password ?? '' }
}

function decodeField(text: string): string | null {
  return decode(() => decodeURIComponent(text.replaceAll('+', ' ')))
}

/** Null for invalid UTF-8 or percent-encoding. */
function decode(read: () => string): string | null {
  try {
    return read()
  } catch {
    return null
  }
}
