import { randomUUID } from 'node:crypto'
import { OperatorError } from '../../core/errors.ts'
import type { Secrets } from '../../core/secrets.ts'
import type { ClickHouseClient } from '../clickhouse/clickhouse.ts'
import {
  clearClickHouseLedger,
  readClickHouseState,
  type ClickHouseState,
} from '../clickhouse/clickhouse-ledger.ts'
import {
  readMigrations,
  refuseUnknown,
  readTableNames,
  type Migration,
} from '../migrations/migration-files.ts'
import { underMigrationLock } from '../postgres/advisory-locks.ts'
import type { Sql, Tx } from '../postgres/postgres.ts'
import { opensCanary, opensSealedColumns, sealCanary } from './secret-key.ts'

export type Acceptance = 'empty-clickhouse' | 'new-secret-key'

export type Installation = {
  id: string
  keyCanary: Buffer | null
  clickhouseReadyAt: Date | null
}

type PostgresState = { installation: Installation | null; applied: ReadonlyMap<string, string> }

export type StartCheck = {
  sql: Sql
  clickhouse: ClickHouseClient
  secrets: Secrets
  names: { clickhouse: string; secretKey: string }
  accept: Acceptance | null
}

export type InstallationKey = { secrets: Secrets; name: string; accept: Acceptance | null }

/** Makes sure that PostgreSQL, ClickHouse and SECRET_KEY belong together, before anything is migrated. */
export async function requireInstallation(check: StartCheck): Promise<void> {
  const { sql, clickhouse, accept } = check
  const files = readMigrations()
  // Committed before the key check: both may be lost, and each has its own command.
  await underMigrationLock(sql, async (tx) => {
    const postgres = await readPostgresState(tx)
    const state = await readClickHouseState(clickhouse, files.clickhouse)
    refuseUnknown(
      [...files.postgres, ...files.clickhouse],
      new Map([...postgres.applied, ...state.applied]),
    )
    refuseForeign(check.names.clickhouse, postgres, state)
    const isLost = hasLostTables(postgres, state, files.clickhouse)
    if (accept === 'empty-clickhouse') await acceptEmpty(tx, clickhouse, postgres, state, isLost)
    else if (isLost)
      throw new OperatorError(
        `${check.names.clickhouse} does not have the tables that Signpost made in it: restore them (the right address, or a backup), or start with an empty ClickHouse by ${toCommand('empty-clickhouse')}, which gives up the analytics of all clicks that were stored in it.`,
      )
  })
  await requireKey(check)
}

/** True if PostgreSQL has all tables of this version, and ClickHouse was ready before. */
export async function isCurrent({ sql, secrets, names }: Omit<StartCheck, 'clickhouse'>) {
  const files = readMigrations()
  const { installation, applied } = await underMigrationLock(sql, readPostgresState)
  refuseUnknown([...files.postgres, ...files.clickhouse], applied)
  const canary = installation?.keyCanary ?? null
  if (installation === null || installation.clickhouseReadyAt === null || canary === null)
    return false
  if (!opensCanary(secrets, installation.id, canary)) throw otherKey(names.secretKey)
  return files.postgres.every(({ name }) => applied.has(name))
}

export async function ensureInstallation(
  tx: Tx,
  state: ClickHouseState,
  key: InstallationKey | null,
): Promise<Installation> {
  const postgres = await readPostgresState(tx)
  refuseForeign('The ClickHouse that CLICKHOUSE_URL names', postgres, state)
  const { id, clickhouseReadyAt, ...found } = postgres.installation ?? {
    id: randomUUID(),
    keyCanary: null,
    clickhouseReadyAt: null,
  }
  if (!postgres.installation) await tx`insert into installation (id) values (${id})`
  if (!key) return { id, clickhouseReadyAt, keyCanary: found.keyCanary }
  const isKept = found.keyCanary !== null && key.accept !== 'new-secret-key'
  if (isKept && !opensCanary(key.secrets, id, found.keyCanary!)) throw otherKey(key.name)
  const keyCanary = isKept ? found.keyCanary : sealCanary(key.secrets, id)
  if (!isKept) await tx`update installation set key_canary = ${keyCanary}`
  return { id, clickhouseReadyAt, keyCanary }
}

async function readPostgresState(tx: Tx): Promise<PostgresState> {
  const [tables] = await tx<{ ledger: string | null; installation: string | null }[]>`
    select to_regclass('migrations')::text as ledger, to_regclass('installation')::text as installation`
  const applied = tables!.ledger
    ? await tx<{ name: string; checksum: string }[]>`select name, checksum from migrations`
    : []
  const [installation = null] = tables!.installation
    ? await tx<Installation[]>`select id, key_canary, clickhouse_ready_at from installation`
    : []
  return { installation, applied: new Map(applied.map((row) => [row.name, row.checksum])) }
}

function refuseForeign(name: string, postgres: PostgresState, state: ClickHouseState): void {
  const { installation } = postgres
  if (state.installationId === null || state.installationId === installation?.id) return
  const refusal = `${name} belongs to another installation of Signpost than the PostgreSQL`
  throw new OperatorError(
    postgres.applied.size === 0
      ? `${refusal}, which is empty: name the PostgreSQL of that installation, or a ClickHouse that is empty too.`
      : `${refusal}: name the one of this installation, or an empty one and accept that with ${toCommand('empty-clickhouse')}.`,
  )
}

function hasLostTables(
  postgres: PostgresState,
  state: ClickHouseState,
  files: readonly Migration[],
): boolean {
  if ((postgres.installation?.clickhouseReadyAt ?? null) === null) return false
  const expected = files.filter(({ name }) => state.applied.has(name)).flatMap(readTableNames)
  // A ClickHouse restored from a backup has tables but no ledger.
  if (expected.length === 0) return state.tables.size === 0
  return expected.some((table) => !state.tables.has(table))
}

async function acceptEmpty(
  tx: Tx,
  clickhouse: ClickHouseClient,
  { installation }: PostgresState,
  state: ClickHouseState,
  isLost: boolean,
): Promise<void> {
  if (!isLost)
    throw new OperatorError('There is nothing to accept: ClickHouse has the tables of Signpost.')
  if (state.hasLedger) await clearClickHouseLedger(clickhouse)
  if (installation) await tx`update installation set clickhouse_ready_at = null`
}

async function requireKey({ sql, secrets, names, accept }: StartCheck): Promise<void> {
  const opensSecrets = await underMigrationLock(sql, async (tx) => {
    const { installation } = await readPostgresState(tx)
    const canary = installation?.keyCanary ?? null
    if (canary !== null) return opensCanary(secrets, installation!.id, canary)
    return opensSealedColumns(tx, secrets)
  })
  if (accept === 'new-secret-key' && opensSecrets)
    throw new OperatorError('There is nothing to accept: SECRET_KEY opens the sealed secrets.')
  if (accept !== 'new-secret-key' && !opensSecrets) throw otherKey(names.secretKey)
}

function otherKey(name: string): OperatorError {
  return new OperatorError(
    `${name} is not the key that the secrets of this installation were sealed with: restore that key, or continue with the new one by ${toCommand('new-secret-key')}, which gives up every second factor (codes of apps, backup codes), every link password and every webhook signing secret made with the former key, and counts every visitor as new.`,
  )
}

function toCommand(acceptance: Acceptance): string {
  return `"npm run -s signpost -- accept-${acceptance} --yes"`
}
