import { createPrivateKey, X509Certificate, type KeyObject } from 'node:crypto'
import { paced, sleep } from '../../platform/core/service.ts'
import { AcmeRefusal, type AcmeClient, type Resource } from './acme.ts'
import { createSigningRequest, newPrivateKey, thumbprintOf, toPem } from './signing.ts'

export type StartedOrder = { url: string; key: string }

export type Issued = { chain: string; key: string; notBeforeMs: number; notAfterMs: number }

/** How an authority validates a host: a request to port 80 (RFC 8555, 8.3) or a handshake on port 443 (RFC 8737). */
export type ChallengeType = 'http-01' | 'tls-alpn-01'

export class FailedValidation extends AcmeRefusal {
  override name = 'FailedValidation'
}

type Deps = {
  client: AcmeClient
  challenges: readonly ChallengeType[]
  accountKey: KeyObject
  publish: (token: string, answer: string) => Promise<void>
  /** Called at the start, so that another edge can complete the order. */
  saveOrder: (order: StartedOrder) => Promise<void>
  signal: AbortSignal
}

type Challenge = {
  type?: unknown
  url?: unknown
  token?: unknown
  status?: unknown
  error?: unknown
}

const POLL_MS = 1_000
const MAX_POLL_MS = 30_000
const TOKEN = /^[\w-]{1,256}$/

export async function runOrder(deps: Deps, hostname: string, begun: StartedOrder | null) {
  const { client, signal } = deps
  const started = begun ?? (await start(deps, hostname))
  let isFinalized = false
  for (;;) {
    const order = await client.read(started.url)
    const { status, authorizations, finalize, certificate } = order.body
    if (status === 'invalid') throw await toFailure(client, order)
    if (status === 'valid') return download(client, String(certificate), hostname, started.key)
    if (status === 'pending')
      for (const url of authorizations as string[]) await authorize(deps, url)
    // A finalized order may stay ready for a moment.
    if (status === 'ready' && !isFinalized) {
      const request = createSigningRequest(createPrivateKey(started.key), hostname)
      await client.write(String(finalize), { csr: request.toString('base64url') })
      isFinalized = true
    }
    await sleep(Math.min(order.retryAfterMs ?? paced(POLL_MS), MAX_POLL_MS), signal)
    signal.throwIfAborted()
  }
}

async function start({ client, saveOrder }: Deps, hostname: string): Promise<StartedOrder> {
  const key = toPem(newPrivateKey())
  const { location } = await client.newOrder(hostname)
  if (location === null) throw new Error('the order has no address')
  const started = { url: location, key }
  await saveOrder(started)
  return started
}

async function authorize(deps: Deps, url: string): Promise<void> {
  const { body } = await deps.client.read(url)
  const offered = body.challenges as Challenge[]
  if (body.status !== 'pending' || offered.some(({ status }) => status === 'processing')) return
  const challenge = deps.challenges
    .map((wanted) => offered.find(({ type }) => type === wanted))
    .find((found) => found !== undefined)
  const token = String(challenge?.token)
  if (challenge === undefined || !TOKEN.test(token))
    throw new AcmeRefusal(
      'unsupported',
      `the authority does not offer ${deps.challenges.join(' or ')}`,
    )
  if (challenge.status !== 'pending') return
  await deps.publish(token, `${token}.${thumbprintOf(deps.accountKey)}`)
  await deps.client.write(String(challenge.url), {})
}

async function download(client: AcmeClient, url: string, hostname: string, key: string) {
  const { text } = await client.read(url)
  const certificate = new X509Certificate(text)
  if (!certificate.checkPrivateKey(createPrivateKey(key)) || !certificate.checkHost(hostname))
    throw new AcmeRefusal('wrongCertificate', `the certificate is not for ${hostname} and its key`)
  return {
    chain: text,
    key,
    notBeforeMs: certificate.validFromDate.getTime(),
    notAfterMs: certificate.validToDate.getTime(),
  }
}

async function toFailure(client: AcmeClient, { body }: Resource): Promise<FailedValidation> {
  let error = body.error as { type?: string; detail?: string } | undefined
  for (const url of (body.authorizations ?? []) as string[]) {
    const authorization = await client.read(url)
    const challenges = (authorization.body.challenges ?? []) as Challenge[]
    error ??= challenges.find((challenge) => challenge.error)?.error as typeof error
  }
  const type = error?.type?.split(':').at(-1) ?? 'invalid'
  return new FailedValidation(type, error?.detail ?? 'the authority could not validate the host')
}
