import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { AgentOptions } from '../../platform/egress/agent.ts'
import type { EgressGuard } from '../../platform/egress/guard.ts'
import { openEgressClient, readShortText } from '../../platform/egress/client.ts'
import { NAME_MAX_CHARS } from '../api-keys/schema.ts'
import { OAuthError } from './answers.ts'
import type { RegisterClient } from './schema.ts'

export type OAuthClient = {
  id: string
  /** Chosen by whoever registered the app, maybe a stranger. */
  name: string
  redirectUris: readonly string[]
}

export type ClientDocuments = { read: (url: string) => Promise<string | null> }

export type ClientsDeps = { secrets: Pick<Secrets, 'keyFor'>; documents: ClientDocuments }

/** The command line, which comes with Signpost. */
export const CLI_CLIENT: OAuthClient = {
  id: 'signpost-cli',
  name: 'Signpost command line',
  redirectUris: [],
}

const DOCUMENT = { maxBytes: 16 * 1024, timeoutMs: 5_000 }
const MAX_REDIRECT_URIS = 10
const MAX_URI_CHARS = 1_024
const MAX_REGISTRATION_CHARS = 2_000
const REGISTERED = /^app_([\w-]{1,3000})\.([\w-]{22})$/
const MAC_CHARS = 22

/** Reads the documents by which apps describe themselves. */
export function openClientDocuments(guard: EgressGuard, options: AgentOptions = {}) {
  const agent = openEgressClient(guard, options)
  return {
    read: (url: string) => readShortText(agent, url, DOCUMENT),
    [Symbol.asyncDispose]: () => agent.destroy(),
  }
}

/**
 * The id of a registered client is its signed registration (RFC 7591, A.5.2), so that strangers who register thousands
 * of clients take no space here.
 */
export function registerClient(deps: ClientsDeps, input: RegisterClient): OAuthClient {
  const redirectUris = checkRedirectUris(input.redirect_uris, 'invalid_redirect_uri')
  const name = toAppName(input.client_name, redirectUris)
  const text = JSON.stringify([name, ...redirectUris])
  if (text.length > MAX_REGISTRATION_CHARS)
    throw new OAuthError('invalid_redirect_uri', 'redirect_uris are too long together.')
  const payload = Buffer.from(text).toString('base64url')
  return { id: `app_${payload}.${sign(deps, payload)}`, name, redirectUris }
}

/** @throws OAuthError invalid_client */
export async function findClient(deps: ClientsDeps, id: string): Promise<OAuthClient> {
  if (id.startsWith('https://')) return readClientDocument(deps, id)
  const [, payload, mac] = REGISTERED.exec(id) ?? []
  const isOurs =
    payload !== undefined && timingSafeEqual(Buffer.from(sign(deps, payload)), Buffer.from(mac!))
  if (!isOurs)
    throw new OAuthError(
      'invalid_client',
      'This app is not registered with this server. Remove the connection in the app, and add it again.',
    )
  const [name, ...redirectUris] = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return { id, name, redirectUris }
}

function sign({ secrets }: ClientsDeps, payload: string): string {
  return createHmac('sha256', secrets.keyFor('oauth-client'))
    .update(payload)
    .digest('base64url')
    .slice(0, MAC_CHARS)
}

/** A client ID metadata document: the id is the address of a document that describes the app. */
async function readClientDocument({ documents }: ClientsDeps, id: string): Promise<OAuthClient> {
  const url = URL.canParse(id) ? new URL(id) : null
  const isPlain =
    url !== null && url.href === id && url.pathname !== '/' && !/[?#@]/.test(id.slice(8))
  if (!isPlain)
    throw new OAuthError(
      'invalid_client',
      'client_id must be an https address with a path, and without a query.',
    )
  const document = parseObject(await documents.read(id))
  if (document?.['client_id'] !== id)
    throw new OAuthError(
      'invalid_client',
      `The description of the app cannot be read at ${id}: it must be JSON of at most 16 KiB that has the same client_id.`,
    )
  const redirectUris = checkRedirectUris(document['redirect_uris'], 'invalid_client')
  return { id, name: toAppName(document['client_name'], [id]), redirectUris }
}

function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return typeof value === 'object' ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

function checkRedirectUris(
  given: unknown,
  code: 'invalid_client' | 'invalid_redirect_uri',
): string[] {
  if (!Array.isArray(given) || given.length === 0 || given.length > MAX_REDIRECT_URIS)
    throw new OAuthError(code, `redirect_uris must name 1 to ${MAX_REDIRECT_URIS} addresses.`)
  for (const uri of given)
    if (typeof uri !== 'string' || !isRedirectUri(uri))
      throw new OAuthError(
        code,
        'redirect_uris must be https, http on this machine (127.0.0.1, [::1], localhost), or of an app, without a fragment.',
      )
  return given as string[]
}

/** Schemes that run a script, read a file, or let the address choose the app. */
const REFUSED =
  /^(javascript|data|vbscript|blob|file|filesystem|about|intent|view-source|wss?|ftp):$/

function isRedirectUri(uri: string): boolean {
  if (uri.length > MAX_URI_CHARS || !/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return false
  const { protocol, hostname, hash, username, password } = new URL(uri)
  if (hash !== '' || uri.endsWith('#') || username !== '' || password !== '') return false
  if (protocol === 'http:') return isLoopback(hostname)
  return !REFUSED.test(protocol)
}

/** Compares exactly, except for the port of a program on the user's machine (RFC 8252, 7.3). */
export function mayReturnTo({ redirectUris }: OAuthClient, uri: string): boolean {
  if (!isRedirectUri(uri)) return false
  return redirectUris.some((known) => known === uri || withoutPort(known) === withoutPort(uri))
}

function withoutPort(uri: string): string {
  const url = new URL(uri)
  if (url.protocol !== 'http:' || !isLoopback(url.hostname)) return uri
  url.port = ''
  return url.href
}

function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
}

/** The host or the app's scheme, which the page shows to the user. */
export function placeOf(uri: string): string {
  const { protocol, host, hostname } = new URL(uri)
  if (protocol === 'https:') return host
  return protocol === 'http:' ? hostname : protocol.slice(0, -1)
}

/** Drops characters that could change how the page reads. */
function toAppName(given: unknown, [first]: readonly string[]): string {
  const text = typeof given === 'string' ? given : ''
  const plain = text
    .slice(0, 500)
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  return Array.from(plain || placeOf(first!))
    .slice(0, NAME_MAX_CHARS)
    .join('')
    .trim()
}
