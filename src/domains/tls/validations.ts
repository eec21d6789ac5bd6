import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext } from 'node:tls'
import type { Log } from '../../platform/core/log.ts'
import { memoize } from '../../platform/core/functions.ts'
import { Loader } from '../../platform/work/load.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { createChallengeCertificate } from './x509.ts'
import { readFirstMessage, type ClientHello } from './client-hello.ts'

type Deps = {
  sql: SystemSql
  log: Log
  isServed: (hostname: string) => boolean
}

const PROTOCOL = 'acme-tls/1'
const HANDSHAKE_TIMEOUT_MS = 10_000
const BUDGET_MS = 3_000
const MAX_CACHED = 100

/**
 * Answers authorities that validate a host by a handshake (TLS-ALPN-01, RFC 8737), with the answers in the database.
 * Node requests a certificate before it tells the client's protocols, so the first message of each connection is
 * read beforehand, and validations go to a TLS server of their own, which serves nothing.
 * /
 */
export class Validations {
  readonly #deps: Deps
  readonly #answers: Loader<string>
  readonly #server = createServer(
    {
      ALPNProtocols: [PROTOCOL],
      handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
      SNICallback: (name, done) => this.#find(name, (found) => done(null, found ?? undefined)),
    },
    (socket) => socket.on('error', () => {}).destroySoon(),
  )
  /** By `<host>\n<answer>`: authorities connect from several places. */
  readonly #toContext = memoize(MAX_CACHED, (key): SecureContext => {
    const [hostname = '', answer = ''] = key.split('\n')
    return createSecureContext(createChallengeCertificate(hostname, answer))
  })

  constructor(deps: Deps) {
    this.#deps = deps
    const { sql, log } = deps
    this.#answers = new Loader<string>({
      fetch: (hostnames) => readAnswers(sql, hostnames),
      onLoaded: () => {},
      log,
      what: 'answers to certificate authorities',
      budgetMs: BUDGET_MS,
    })
    this.#server.on('tlsClientError', (_error, socket) => socket.destroy())
  }

  /** Answers a validation; calls `proceed` for any other connection, with no bytes read from it. */
  accept(socket: Socket, proceed: () => void): void {
    readFirstMessage(socket, (hello) => {
      if (hello !== null && isValidation(hello)) this.#server.emit('connection', socket)
      else proceed()
    })
  }

  #find(servername: string, callback: (context: SecureContext | null) => void): void {
    const hostname = servername.toLowerCase()
    if (!this.#deps.isServed(hostname)) return callback(null)
    this.#answers.load(hostname, (answer) =>
      callback(answer ? this.#toContext(`${hostname}\n${answer}`) : null),
    )
  }
}

/** Authorities offer only this protocol. */
function isValidation({ protocols }: ClientHello): boolean {
  return protocols.length === 1 && protocols[0] === PROTOCOL
}

async function readAnswers(sql: SystemSql, hostnames: string[]): Promise<Map<string, string>> {
  const rows = await sql<{ hostname: string; answer: string }[]>`
    select distinct on (hostname) hostname, answer from tls_challenges
    where hostname = any(${hostnames}::text[]) order by hostname, created_at desc`
  return new Map(rows.map(({ hostname, answer }) => [hostname, answer]))
}
