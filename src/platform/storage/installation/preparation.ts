import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'
import { createOutageWarning, sleep } from '../../core/service.ts'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ts'
import { isCurrent, requireInstallation, type StartCheck } from './installation.ts'
import { isBehind, migrate } from '../migrations/migrate.ts'
import { closePostgres, type Sql } from '../postgres/postgres.ts'
import { UnavailableError, requireClickHouse, requirePostgres } from './reachable.ts'
import { makeRoles } from '../postgres/roles.ts'

type PreparationDeps = Omit<StartCheck, 'sql'> & {
  openOwner: () => Sql
  pools: readonly Sql[]
  addresses: { databaseUrl: string; clickhouseUrl: string }
  clickhouse: ClickHouseClient
  clickhouseEngine: string
  usesClickHouse: boolean
  log: Log
  beforeMigrations: () => Promise<void>
  onReady: (owner: Sql) => Promise<void>
}

const RETRY_MS = 1_000

/**
 * Checks and migrates the databases, which may be unavailable:
 *
 *   waiting ──PostgreSQL has this version's tables──▶ ready ──ClickHouse answers──▶ complete
 *      └────────────────both answer: checked and migrated──────────────────────────────▲
 */
export class Preparation {
  readonly #deps: PreparationDeps
  readonly #warn: ReturnType<typeof createOutageWarning>
  isReady = false
  #isComplete = false

  constructor(deps: PreparationDeps) {
    this.#deps = deps
    this.#warn = createOutageWarning(deps.log)
  }

  /**
   * @throws UnavailableError while a database that this process needs does not answer
   * @throws OperatorError for databases that the program must not use
   */
  async attempt(): Promise<void> {
    const { openOwner, addresses, usesClickHouse, onReady } = this.#deps
    const owner = openOwner()
    try {
      await requirePostgres(owner, addresses.databaseUrl)
      const unavailable = await this.#findUnavailable(owner)
      if (unavailable === null) await this.#migrate(owner)
      else if (await isCurrent({ ...this.#deps, sql: owner })) await this.#checkRoles()
      else throw unavailable
      await onReady(owner)
      this.isReady = true
      this.#isComplete = unavailable === null || !usesClickHouse
    } finally {
      await closePostgres(owner)
    }
  }

  untilReady(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.isReady, signal)
  }

  untilComplete(signal: AbortSignal): Promise<void> {
    return this.#until(() => this.#isComplete, signal)
  }

  note(error: unknown): void {
    this.#warn({ err: error }, 'a database is unavailable; trying again')
  }

  async #until(isOver: () => boolean, signal: AbortSignal): Promise<void> {
    while (!isOver() && !signal.aborted) {
      await sleep(RETRY_MS, signal)
      if (signal.aborted) return
      await this.attempt().catch((error: unknown) => {
        if (error instanceof OperatorError && !(error instanceof UnavailableError)) throw error
        this.note(error)
      })
    }
  }

  /** Null if ClickHouse answers. A process that does not use it needs it only for migrations. */
  async #findUnavailable(owner: Sql): Promise<UnavailableError | null> {
    const { clickhouse, addresses, usesClickHouse } = this.#deps
    if (!usesClickHouse && (await isCurrent({ ...this.#deps, sql: owner })))
      return new UnavailableError('ClickHouse is not used by this process.')
    try {
      await requireClickHouse(clickhouse, addresses.clickhouseUrl)
      return null
    } catch (error) {
      if (error instanceof UnavailableError) return error
      throw error
    }
  }

  async #migrate(owner: Sql): Promise<void> {
    const { secrets, names, accept } = this.#deps
    await requireInstallation({ ...this.#deps, sql: owner })
    if (await isBehind(owner)) await this.#deps.beforeMigrations()
    await makeRoles(owner)
    await this.#checkRoles()
    const key = { secrets, name: names.secretKey, accept }
    await migrate({ ...this.#deps, sql: owner, key })
  }

  async #checkRoles(): Promise<void> {
    const { pools, addresses } = this.#deps
    await Promise.all(pools.map((pool) => requirePostgres(pool, addresses.databaseUrl)))
  }
}
