import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { sleep } from '../../core/service.ts'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ts'
import { isCurrent, requireInstallation, type StartCheck } from './installation.ts'
import { isBehind, migrate } from '../migrations/migrate.ts'
import { closePostgres, type Sql } from '../postgres/postgres.ts'
import { AwayError, requireClickHouse, requirePostgres } from './reachable.ts'
import { makeRoles } from '../postgres/roles.ts'

export type PreparationDeps = Omit<StartCheck, 'sql'> & {
  /** Opens a pool as the owner of the tables, for one attempt. */
  openOwner: () => Sql
  /** Pools of the program, whose roles are proved before their first use. */
  pools: readonly Sql[]
  addresses: { databaseUrl: string; clickhouseUrl: string }
  clickhouse: ClickHouseClient
  clickhouseEngine: string
  /** Whether this process sends queries to ClickHouse. */
  usesClickHouse: boolean
  log: Log
  /** Runs when the databases have data and lack migrations of this program. */
  beforeMigrations: () => Promise<void>
  /** Reads what the program needs of PostgreSQL before its first use. */
  onReady: (owner: Sql) => Promise<void>
}

const RETRY_MS = 1_000
const LOG_EVERY_MS = 60_000

/**
 * Checks and migrations of the databases, which may be away:
 *
 *   waiting ──PostgreSQL has this version's tables──▶ ready ──ClickHouse answers──▶ complete
 *      └────────────────both answer: checked and migrated──────────────────────────────▲
 */
export class Preparation {
  readonly #deps: PreparationDeps
  #isReady = false
  #isComplete = false
  #loggedAtMs = -Infinity

  constructor(deps: PreparationDeps) {
    this.#deps = deps
  }

  /** Whether PostgreSQL can be used. */
  get isReady(): boolean {
    return this.#isReady
  }

  /**
   * One attempt.
   * @throws AwayError while a database that this process cannot go on without does not answer
   * @throws OperatorError for databases that the program must not use
   */
  async attempt(): Promise<void> {
    const { openOwner, addresses, usesClickHouse, onReady } = this.#deps
    const owner = openOwner()
    try {
      await requirePostgres(owner, addresses.databaseUrl)
      const away = await this.#findAway(owner)
      if (away === null) await this.#migrate(owner)
      else if (await isCurrent({ ...this.#deps, sql: owner })) await this.#prove()
      else throw away
      await onReady(owner)
      this.#isReady = true
      this.#isComplete = away === null || !usesClickHouse
    } finally {
      // The owner of the tables is for migrations alone.
      await closePostgres(owner)
    }
  }

  /** Resolves once PostgreSQL can be used, or when the signal is aborted. */
  untilReady(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#isReady, signal)
  }

  /** Resolves once both databases can be used, or when the signal is aborted. */
  untilComplete(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#isComplete, signal)
  }

  /** Logs, once a minute, that a database is away. */
  note(error: unknown): void {
    if (performance.now() - this.#loggedAtMs < LOG_EVERY_MS) return
    this.#loggedAtMs = performance.now()
    this.#deps.log.warn({ err: error }, 'a database is away: waiting for it')
  }

  async #until(isOver: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isOver() && !signal.aborted) {
      await sleep(RETRY_MS, signal)
      if (signal.aborted) return
      await this.attempt().catch((error: unknown) => {
        if (error instanceof OperatorError && !(error instanceof AwayError)) throw error
        this.note(error)
      })
    }
  }

  /** Null if ClickHouse answers; a process that does not use it asks for it only before migrations. */
  async #findAway(owner: Sql): Promise<AwayError | null> {
    const { clickhouse, addresses, usesClickHouse } = this.#deps
    if (!usesClickHouse && (await isCurrent({ ...this.#deps, sql: owner })))
      return new AwayError('ClickHouse is not used by this process.')
    try {
      await requireClickHouse(clickhouse, addresses.clickhouseUrl)
      return null
    } catch (error) {
      if (error instanceof AwayError) return error
      throw error
    }
  }

  async #migrate(owner: Sql): Promise<void> {
    const { secrets, names, accept } = this.#deps
    await requireInstallation({ ...this.#deps, sql: owner })
    if (await isBehind(owner)) await this.#deps.beforeMigrations()
    await makeRoles(owner)
    await this.#prove()
    const key = { secrets, name: names.secretKey, accept }
    await migrate({ ...this.#deps, sql: owner, key })
  }

  /** Each connection proves its role before its first query. */
  async #prove(): Promise<void> {
    const { pools, addresses } = this.#deps
    await Promise.all(pools.map((pool) => requirePostgres(pool, addresses.databaseUrl)))
  }
}
