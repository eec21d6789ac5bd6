import type { Secrets } from '../../core/secrets.ts'
import type { Sql, Tx } from '../postgres/postgres.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

const CANARY_PURPOSE = 'canary'
const CANARY_TEXT = 'signpost'
/** Only the newest of each column, since some may be sealed with a former key. */
const MAX_TRIED = 100

export function sealCanary(secrets: Secrets, installationId: string): Buffer {
  return secrets.seal(CANARY_PURPOSE, toPlace(installationId), CANARY_TEXT)
}

export function opensCanary(secrets: Secrets, installationId: string, canary: Buffer): boolean {
  return opens(secrets, CANARY_PURPOSE, toPlace(installationId), canary)
}

export async function readCanary(sql: Sql): Promise<((secrets: Secrets) => boolean) | null> {
  const [row] = await sql<{ id: string; keyCanary: Buffer | null }[]>`
    select id, key_canary from installation`
  const canary = row?.keyCanary
  return canary ? (secrets) => opensCanary(secrets, row.id, canary) : null
}

/** True when the key opens any sealed secret, or none exists. */
export async function opensSealedColumns(tx: Tx, secrets: Secrets): Promise<boolean> {
  let tried = 0
  for (const column of SEALED_COLUMNS) {
    const rows = await readSealed(tx, column)
    const place = ({ key }: { key: string }) => column.boundTo(key)
    if (rows.some((row) => opens(secrets, column.purpose, place(row), row.sealed))) return true
    tried += rows.length
  }
  return tried === 0
}

async function readSealed(tx: Tx, { table, key, column }: SealedColumn) {
  // Runs before migrations: table or column may be missing.
  const [found] = await tx`
    select 1 from pg_attribute
    where attrelid = to_regclass(${table}) and attname = ${column} and not attisdropped`
  if (!found) return []
  return tx<{ key: string; sealed: Buffer }[]>`
    select ${tx(key)} as key, ${tx(column)} as sealed from ${tx(table)}
    where ${tx(column)} is not null
    order by created_at desc limit ${MAX_TRIED}`
}

function opens(secrets: Secrets, purpose: string, place: string, sealed: Buffer): boolean {
  try {
    secrets.open(purpose, place, sealed)
    return true
  } catch {
    return false
  }
}

function toPlace(installationId: string): string {
  return `installation:${installationId}`
}
