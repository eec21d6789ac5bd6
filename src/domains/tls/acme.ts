import type { KeyObject } from 'node:crypto'
import { signBody, toJwk } from './signing.ts'

type Deps = {
  directory: string
  accountKey: KeyObject
  accountUrl: string | null
  signal: AbortSignal
}

type Directory = { newNonce: string; newAccount: string; newOrder: string }

export type Resource = {
  readonly body: Record<string, unknown>
  readonly text: string
  readonly location: string | null
  readonly retryAfterMs: number | null
}

/** The authority refused. Every other error means that it could not be reached. */
export class AcmeRefusal extends Error {
  override name = 'AcmeRefusal'
  readonly type: string
  readonly retryAfterMs: number | null

  constructor(type: string, detail: string, retryAfterMs: number | null = null) {
    super(`${type}: ${detail}`.slice(0, MAX_MESSAGE_LENGTH))
    this.type = type
    this.retryAfterMs = retryAfterMs
  }
}

const MAX_MESSAGE_LENGTH = 500
const TIMEOUT_MS = 20_000
const MAX_ANSWER_BYTES = 256 * 1024
/** Each retry uses the nonce of the last refusal (RFC 8555, 6.5). */
const MAX_NONCE_ATTEMPTS = 5

export class AcmeClient {
  readonly #deps: Deps
  #accountUrl: string | null
  #directory: Directory | null = null
  #nonce: string | null = null

  constructor(deps: Deps) {
    this.#deps = deps
    this.#accountUrl = deps.accountUrl
  }

  async register(email: string | null): Promise<string> {
    const { newAccount } = await this.#readDirectory()
    const contact = email === null ? [] : [`mailto:${email}`]
    const { location } = await this.#post(newAccount, { termsOfServiceAgreed: true, contact })
    if (location === null) throw new Error('the account has no address')
    this.#accountUrl = location
    return location
  }

  async newOrder(hostname: string): Promise<Resource> {
    const { newOrder } = await this.#readDirectory()
    return this.#post(newOrder, { identifiers: [{ type: 'dns', value: hostname }] })
  }

  read(url: string): Promise<Resource> {
    return this.#post(url, '')
  }

  write(url: string, payload: object): Promise<Resource> {
    return this.#post(url, payload)
  }

  async #post(url: string, payload: object | ''): Promise<Resource> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#send(url, payload)
      this.#nonce = answer.headers.get('replay-nonce')
      const text = await readText(answer)
      const body = parse(text)
      const retryAfterMs = readRetryAfter(answer.headers.get('retry-after'))
      if (answer.ok) return { body, text, location: answer.headers.get('location'), retryAfterMs }
      const problem = toRefusal(answer.status, body, retryAfterMs)
      if (problem.type !== 'badNonce') throw problem
      // The authority's fault, not the order's.
      if (attempt === MAX_NONCE_ATTEMPTS)
        throw new Error(`the certificate authority refused ${attempt} nonces in a row`)
    }
  }

  async #send(url: string, payload: object | ''): Promise<Response> {
    const { accountKey } = this.#deps
    const nonce = this.#nonce ?? (await this.#newNonce())
    this.#nonce = null
    const identity = this.#accountUrl ? { kid: this.#accountUrl } : { jwk: toJwk(accountKey) }
    return this.#fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/jose+json' },
      body: signBody(accountKey, { nonce, url, ...identity }, payload),
    })
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.#readDirectory()
    const answer = await this.#fetch(newNonce, { method: 'HEAD' })
    const nonce = answer.headers.get('replay-nonce')
    if (nonce === null) throw new Error(`${newNonce} answered ${answer.status} without a nonce`)
    return nonce
  }

  async #readDirectory(): Promise<Directory> {
    if (this.#directory !== null) return this.#directory
    const answer = await this.#fetch(this.#deps.directory)
    const { newNonce, newAccount, newOrder } = parse(await readText(answer))
    if (!answer.ok || !isText(newNonce) || !isText(newAccount) || !isText(newOrder))
      throw new Error(`ACME_DIRECTORY answered ${answer.status} without a directory`)
    this.#directory = { newNonce, newAccount, newOrder }
    return this.#directory
  }

  #fetch(url: string, init: RequestInit = {}): Promise<Response> {
    const signal = AbortSignal.any([this.#deps.signal, AbortSignal.timeout(TIMEOUT_MS)])
    return fetch(url, { ...init, signal, redirect: 'error' })
  }
}

function toRefusal(
  status: number,
  { type, detail }: Record<string, unknown>,
  retryAfterMs: number | null,
): Error & { type?: string } {
  if (!isText(type)) return new Error(`the certificate authority answered ${status}`)
  const name = type.split(':').at(-1)!
  // The authority itself is broken.
  if (name === 'serverInternal') return new Error(`the certificate authority answered ${status}`)
  return new AcmeRefusal(name, isText(detail) ? detail : String(status), retryAfterMs)
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES)
      throw new Error('the answer of the certificate authority is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parse(text: string): Record<string, unknown> {
  if (!text.startsWith('{')) return {}
  return JSON.parse(text) as Record<string, unknown>
}

/** @param header seconds, or a date (RFC 9110, 10.2.3) */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}
