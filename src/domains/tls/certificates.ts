import { createSecureContext, type SecureContext } from 'node:tls'
import type { Log } from '../../platform/core/log.ts'
import { dropOldest } from '../../platform/core/functions.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { Loader } from '../../platform/work/load.ts'
import type { SealedCertificate, Snapshot } from '../../redirect/links/snapshot.ts'
import type { SystemSql } from '../../platform/storage/postgres/postgres.ts'
import { TLS_KEY } from '../../platform/storage/installation/sealed-columns.ts'

type Deps = {
  sql: SystemSql
  secrets: Pick<Secrets, 'open'>
  log: Log
  snapshot: Pick<Snapshot, 'keepCertificate' | 'findCertificate'> | null
  isServed: (hostname: string) => boolean
  budgetMs?: number
  maxCached?: number
}

type Cached = { context: SecureContext | null; chain: string | null; readAtMs: number }

const MAX_CACHED = 5_000
/** A handshake after this time makes the process look for a newer certificate. */
const FRESH_MS = 60_000
const ABSENT_FRESH_MS = 3_000
const BUDGET_MS = 3_000

/** Hosts that are not served cause no query. A handshake waits only without a certificate in memory. */
export class Certificates {
  readonly #deps: Deps
  readonly #cached = new Map<string, Cached>()
  readonly #loader: Loader<SealedCertificate>

  constructor(deps: Deps) {
    this.#deps = deps
    const { sql, log, budgetMs = BUDGET_MS } = deps
    this.#loader = new Loader<SealedCertificate>({
      fetch: (hostnames) => readCertificates(sql, hostnames),
      onLoaded: (hostname, stored) => {
        this.#keep(hostname, stored)
        if (stored !== null) deps.snapshot?.keepCertificate(hostname, stored)
      },
      log,
      what: 'certificates',
      budgetMs,
    })
  }

  find(servername: string, callback: (context: SecureContext | null) => void): void {
    const hostname = servername.toLowerCase()
    if (!this.#deps.isServed(hostname)) return callback(null)
    const cached = this.#cached.get(hostname)
    const freshMs = cached?.context ? FRESH_MS : ABSENT_FRESH_MS
    if (cached && performance.now() - cached.readAtMs < freshMs) return callback(cached.context)
    if (!cached?.context)
      return this.#loader.load(hostname, (loaded) => {
        if (loaded === undefined) this.#restore(hostname)
        callback(this.#cached.get(hostname)?.context ?? null)
      })
    if (!this.#loader.isLoading(hostname)) this.#loader.load(hostname, () => {})
    callback(cached.context)
  }

  stats() {
    return { queries: this.#loader.queries(), cached: this.#cached.size }
  }

  #restore(hostname: string): void {
    const kept = this.#deps.snapshot?.findCertificate(hostname) ?? null
    if (kept !== null) this.#keep(hostname, kept)
  }

  #keep(hostname: string, stored: SealedCertificate | null): void {
    const cached = this.#cached.get(hostname)
    const chain = stored?.chain ?? null
    const context = cached?.chain === chain ? cached.context : this.#toContext(hostname, stored)
    this.#cached.delete(hostname)
    this.#cached.set(hostname, { context, chain, readAtMs: performance.now() })
    dropOldest(this.#cached, this.#deps.maxCached ?? MAX_CACHED)
  }

  #toContext(hostname: string, stored: SealedCertificate | null): SecureContext | null {
    if (stored === null) return null
    const { purpose, boundTo } = TLS_KEY
    try {
      const key = this.#deps.secrets.open(purpose, boundTo(hostname), stored.keySealed)
      return createSecureContext({ cert: stored.chain, key })
    } catch (error) {
      this.#deps.log.error({ err: error, hostname }, 'a stored certificate cannot be used')
      return null
    }
  }
}

async function readCertificates(sql: SystemSql, hostnames: string[]) {
  const rows = await sql<(SealedCertificate & { hostname: string })[]>`
    select hostname, chain, key_sealed from tls_certificates
    where hostname = any(${hostnames}::text[]) and chain is not null`
  return new Map(rows.map(({ hostname, ...sealed }) => [hostname, sealed]))
}
