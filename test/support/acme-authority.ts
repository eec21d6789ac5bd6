import {
  createHash,
  createPublicKey,
  randomBytes,
  verify,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto'
import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { TestContext } from 'node:test'
import { connect } from 'node:tls'
import { createAuthority } from './certificates.ts'
import { DAY_MS } from '../../src/platform/core/clock.ts'

type Options = {
  /** Ports on loopback where hosts are validated, in the places of 80 and 443. */
  httpPort: () => number
  httpsPort?: () => number
  lifetimeMs?: number
}

export type AcmeAuthority = {
  directory: string
  /** PEM of the certificate that issued all others. */
  root: string
  orders: { hostname: string; status: string; validation: string; validatedBy: string }[]
  issued: string[]
  /** Requests whose next nonce is refused. */
  wrongNonces: number
  /** The problem by which the next orders are refused. */
  refusal: { type: string; retryAfter?: number } | null
  /** Types of the challenges of new authorizations. */
  offered: string[]
  /** Whether validation waits. */
  isValidationHeld: boolean
  /** Whether finalized orders wait for their certificates. */
  isIssuanceHeld: boolean
  /** Whether every request is answered by 500. */
  isBroken: boolean
  lifetimeMs: number
}

type Order = {
  hostname: string
  status: string
  token: string
  /** The type of the challenge that the client chose. */
  validatedBy: string
  validation: 'pending' | 'processing' | 'valid' | 'invalid'
  account: KeyObject
  certificate: string
}
type Asked = { url: string; payload: Record<string, unknown>; jwk: JsonWebKey; isNew: boolean }

class Problem extends Error {
  readonly status: number
  readonly type: string
  readonly retryAfter: number | undefined

  constructor(status: number, type: string, retryAfter?: number) {
    super(type)
    this.status = status
    this.type = type
    this.retryAfter = retryAfter
  }
}

/** A certificate authority that speaks ACME (RFC 8555) and validates hosts by requests to this machine (HTTP-01, TLS-ALPN-01). */
export async function openAcmeAuthority(
  t: TestContext,
  { httpPort, httpsPort = () => 9, lifetimeMs = 90 * DAY_MS }: Options,
): Promise<AcmeAuthority> {
  const root = createAuthority()
  const nonces = new Set<string>()
  const accounts = new Map<string, JsonWebKey>()
  const orders: Order[] = []
  const server = createServer((req, res) => void answer(req, res))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const base = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const authority: AcmeAuthority = {
    directory: `${base}/directory`,
    root: root.cert,
    orders,
    issued: [],
    wrongNonces: 0,
    refusal: null,
    offered: ['http-01', 'tls-alpn-01'],
    isValidationHeld: false,
    isIssuanceHeld: false,
    isBroken: false,
    lifetimeMs,
  }

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const nonce = randomBytes(16).toString('base64url')
    nonces.add(nonce)
    res.setHeader('replay-nonce', nonce)
    try {
      if (authority.isBroken) throw new Problem(500, 'serverInternal')
      await route(req, res)
    } catch (error) {
      const { status, type, retryAfter } =
        error instanceof Problem ? error : new Problem(400, `malformed: ${String(error)}`)
      if (retryAfter !== undefined) res.setHeader('retry-after', retryAfter)
      send(res, status, {
        type: `urn:ietf:params:acme:error:${type}`,
        detail: 'refused by the test',
      })
    }
  }

  async function route(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const [, what, id, action] = req.url!.split('/')
    if (what === 'directory') {
      const at = (name: string) => `${base}/${name}`
      return send(res, 200, {
        newNonce: at('nonce'),
        newAccount: at('account'),
        newOrder: at('order'),
      })
    }
    if (what === 'nonce') return void res.writeHead(200).end()
    const asked = await readRequest(req)
    if (what === 'account') return openAccount(res, asked)
    if (asked.isNew) throw new Problem(400, 'malformed')
    if (what === 'order' && id === undefined) return openOrder(res, asked)
    const order = orders[Number(id)]
    if (order === undefined) throw new Problem(404, 'malformed')
    if (what === 'authorization') return send(res, 200, toAuthorization(order, id!))
    if (what === 'challenge') {
      order.validation = 'processing'
      order.validatedBy = action!
      void validate(order)
      return send(res, 200, toChallenge(order, id!, action!))
    }
    if (what === 'certificate')
      return void res
        .writeHead(200, { 'content-type': 'application/pem-certificate-chain' })
        .end(order.certificate)
    if (action === 'finalize') void issue(order, readKey(order, asked))
    return send(res, 200, toOrder(order, id!))
  }

  /** Checks signature, address and nonce of a request (RFC 8555, 6). */
  async function readRequest(req: IncomingMessage): Promise<Asked> {
    let text = ''
    for await (const chunk of req) text += String(chunk)
    const body = JSON.parse(text) as { protected: string; payload: string; signature: string }
    const head = fromBase64Url(body.protected) as {
      nonce: string
      url: string
      kid?: string
      jwk?: JsonWebKey
    }
    const jwk = head.jwk ?? accounts.get(head.kid!)
    if (jwk === undefined) throw new Problem(400, 'accountDoesNotExist')
    const isSigned = verify(
      'sha256',
      Buffer.from(`${body.protected}.${body.payload}`),
      { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(body.signature, 'base64url'),
    )
    if (!isSigned || head.url !== `${base}${req.url}`) throw new Problem(401, 'unauthorized')
    if (req.headers['content-type'] !== 'application/jose+json') throw new Problem(415, 'malformed')
    if (!nonces.delete(head.nonce) || authority.wrongNonces-- > 0)
      throw new Problem(400, 'badNonce')
    const payload = (body.payload === '' ? {} : fromBase64Url(body.payload)) as Asked['payload']
    return { url: head.url, payload, jwk, isNew: head.jwk !== undefined }
  }

  function openAccount(res: ServerResponse, { payload, jwk }: Asked): void {
    if (payload.termsOfServiceAgreed !== true) throw new Problem(403, 'userActionRequired')
    const url = `${base}/account/${thumbprint(jwk)}`
    accounts.set(url, jwk)
    res.setHeader('location', url)
    send(res, 201, { status: 'valid' })
  }

  function openOrder(res: ServerResponse, { payload, jwk }: Asked): void {
    const { refusal } = authority
    if (refusal) throw new Problem(429, refusal.type, refusal.retryAfter)
    const [identifier] = payload.identifiers as { type: string; value: string }[]
    const id = orders.push({
      hostname: identifier!.value,
      status: 'pending',
      token: randomBytes(16).toString('base64url'),
      validatedBy: '',
      validation: 'pending',
      account: createPublicKey({ key: jwk, format: 'jwk' }),
      certificate: '',
    })
    res.setHeader('location', `${base}/order/${id - 1}`)
    send(res, 201, toOrder(orders[id - 1]!, String(id - 1)))
  }

  async function validate(order: Order): Promise<void> {
    while (authority.isValidationHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    const expected = `${order.token}.${thumbprint(order.account.export({ format: 'jwk' }))}`
    const { hostname, token } = order
    const isValid =
      order.validatedBy === 'http-01'
        ? expected === (await askByHttp(httpPort(), hostname, token).catch(String))
        : await answersByTls(httpsPort(), hostname, expected).catch(() => false)
    order.validation = isValid ? 'valid' : 'invalid'
    order.status = isValid ? 'ready' : 'invalid'
  }

  function readKey(order: Order, { payload }: Asked): KeyObject {
    if (order.status !== 'ready') throw new Problem(403, 'orderNotReady')
    const { names, publicKey } = readSigningRequest(Buffer.from(String(payload.csr), 'base64url'))
    if (names.length !== 1 || names[0] !== order.hostname) throw new Problem(400, 'badCSR')
    return publicKey
  }

  async function issue(order: Order, publicKey: KeyObject): Promise<void> {
    order.status = 'processing'
    while (authority.isIssuanceHeld) await new Promise((resolve) => setTimeout(resolve, 20))
    const names = [order.hostname]
    const notBefore = new Date()
    const notAfter = new Date(Date.now() + authority.lifetimeMs)
    order.certificate = root.certify(publicKey, { names, notBefore, notAfter })
    order.status = 'valid'
    authority.issued.push(order.hostname)
  }

  function toOrder(order: Order, id: string) {
    return {
      status: order.status,
      authorizations: [`${base}/authorization/${id}`],
      finalize: `${base}/order/${id}/finalize`,
      ...(order.status === 'valid' && { certificate: `${base}/certificate/${id}` }),
    }
  }

  function toAuthorization(order: Order, id: string) {
    const { validation } = order
    const status = validation === 'processing' ? 'pending' : validation
    const types = authority.offered.map((type) => toChallenge(order, id, type))
    return { status, challenges: [{ type: 'dns-01' }, ...types] }
  }

  function toChallenge({ token, validatedBy, validation }: Order, id: string, type: string) {
    const status = type === validatedBy ? validation : 'pending'
    const error = { type: 'urn:ietf:params:acme:error:unauthorized', detail: 'another answer' }
    const url = `${base}/challenge/${id}/${type}`
    return { type, url, token, status, ...(status === 'invalid' && { error }) }
  }

  return authority
}

function send(res: ServerResponse, status: number, body: object): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function fromBase64Url(text: string): unknown {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

function thumbprint({ crv, kty, x, y }: JsonWebKey): string {
  return createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
}

function askByHttp(port: number, host: string, token: string): Promise<string> {
  const path = `/.well-known/acme-challenge/${token}`
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, headers: { host }, agent: false },
      (res) => {
        let text = ''
        res.on('data', (chunk) => (text += String(chunk)))
        res.on('end', () => resolve(res.statusCode === 200 ? text : `status ${res.statusCode}`))
      },
    )
    sent.on('error', reject).end()
  })
}

/** Whether a host answers with its own challenge certificate (RFC 8737, 3). */
async function answersByTls(port: number, host: string, expected: string): Promise<boolean> {
  const options = { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false }
  const socket = connect({ ...options, ALPNProtocols: ['acme-tls/1'], minVersion: 'TLSv1.2' })
  try {
    await once(socket, 'secureConnect')
    const certificate = socket.getPeerX509Certificate()!
    const digest = createHash('sha256').update(expected).digest()
    return (
      socket.alpnProtocol === 'acme-tls/1' &&
      certificate.subjectAltName === `DNS:${host}` &&
      certificate.verify(certificate.publicKey) &&
      // The object id of acmeIdentifier, TRUE for critical, and the digest as octets in octets.
      certificate.raw.includes(
        Buffer.concat([Buffer.from('06082b0601050507011f0101ff04220420', 'hex'), digest]),
      )
    )
  } finally {
    socket.destroy()
  }
}

/** Reads and verifies a request for a certificate (RFC 2986): its public key, and the names in its subjectAltName. */
function readSigningRequest(der: Buffer): { names: string[]; publicKey: KeyObject } {
  const [info, , signature] = childrenOf(der)
  const [, , key, attributes] = childrenOf(info!)
  const publicKey = createPublicKey({ key: key!, format: 'der', type: 'spki' })
  const bits = contentOf(signature!).subarray(1)
  if (!verify('sha256', info!, publicKey, bits)) throw new Problem(400, 'badCSR')
  const [attribute] = childrenOf(attributes!)
  const [extensions] = childrenOf(childrenOf(attribute!)[1]!)
  const [extension] = childrenOf(extensions!)
  const names = childrenOf(contentOf(childrenOf(extension!)[1]!))
  return { names: names.map((name) => contentOf(name).toString('ascii')), publicKey }
}

function contentOf(der: Buffer): Buffer {
  const { start, end } = rangeOf(der)
  return der.subarray(start, end)
}

function childrenOf(der: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let rest = contentOf(der); rest.length > 0;) {
    const { end } = rangeOf(rest)
    found.push(rest.subarray(0, end))
    rest = rest.subarray(end)
  }
  return found
}

/** Bounds of the content of a value. */
function rangeOf(der: Buffer): { start: number; end: number } {
  const first = der[1]!
  const bytes = first < 128 ? 0 : first - 128
  const length = bytes === 0 ? first : der.readUIntBE(2, bytes)
  return { start: 2 + bytes, end: 2 + bytes + length }
}
