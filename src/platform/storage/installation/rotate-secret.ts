import { createHash } from 'node:crypto'
import { OperatorError } from '../../core/errors.ts'
import { createSecrets, type Secrets } from '../../core/secrets.ts'
import { ENDING_PURPOSES, KEPT_PURPOSES } from './former-keys.ts'
import { underMigrationLock } from '../postgres/advisory-locks.ts'
import { inTransaction, type Sql } from '../postgres/postgres.ts'
import { WORKER_ROLE } from '../postgres/roles.ts'
import { opensCanary, sealCanary } from './secret-key.ts'
import { FORMER_KEY, SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

const VALUES_AT_ONCE = 200

type Rotation = { sealed: number; lost: number }

/**
 * Processes accept both keys meanwhile. The canary is changed last, so the next run completes an interrupted one.
 * @param sql connects as the owner of the tables
 * @param former SECRET_KEY_ALSO
 */
export async function rotateSecret(
  sql: Sql,
  { secretKey, former }: { secretKey: string; former: string },
): Promise<Rotation> {
  const [next, past] = [createSecrets(secretKey), createSecrets(former)]
  const { id, keyCanary } = await readInstallation(sql)
  const isFinished = opensCanary(next, id, keyCanary)
  if (!isFinished && !opensCanary(past, id, keyCanary))
    throw new OperatorError(
      'SECRET_KEY_ALSO is not the key that the secrets of this installation are sealed with; set it to the former SECRET_KEY.',
    )
  if (!isFinished) await keepDerivedKeys(sql, next, past)
  const rotation: Rotation = { sealed: 0, lost: 0 }
  for (const column of SEALED_COLUMNS) await sealAgain(sql, column, { next, past }, rotation)
  await underMigrationLock(
    sql,
    (tx) => tx`update installation set key_canary = ${sealCanary(next, id)} where id = ${id}`,
  )
  return rotation
}

async function readInstallation(sql: Sql): Promise<{ id: string; keyCanary: Buffer }> {
  const [row] = await sql<{ id: string; keyCanary: Buffer | null }[]>`
    select id, key_canary from installation`
  if (!row?.keyCanary)
    throw new OperatorError('The installation has no key yet; start the server once.')
  return { id: row.id, keyCanary: row.keyCanary }
}

async function keepDerivedKeys(sql: Sql, next: Secrets, past: Secrets): Promise<void> {
  for (const purpose of [...KEPT_PURPOSES, ...ENDING_PURPOSES]) {
    const key = past.keyFor(purpose)
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 16)
    const id = `${purpose}:${digest}`
    const row = {
      id,
      purpose,
      keySealed: next.seal(FORMER_KEY.purpose, FORMER_KEY.boundTo(id), key),
      retiredAt: new Date(),
    }
    await sql`insert into former_keys ${sql(row)} on conflict (id) do nothing`
  }
}

async function sealAgain(
  sql: Sql,
  { table, key, column, purpose, boundTo }: SealedColumn,
  { next, past }: { next: Secrets; past: Secrets },
  rotation: Rotation,
): Promise<void> {
  for (let after = ''; ;) {
    const last = await inTransaction(sql, async (tx) => {
      await tx.unsafe(`set local role ${WORKER_ROLE}`)
      const rows = await tx<{ key: string; sealed: Buffer }[]>`
        select ${tx(key)} as key, ${tx(column)} as sealed from ${tx(table)}
        where ${tx(column)} is not null and ${tx(key)} > ${after}
        order by ${tx(key)} limit ${VALUES_AT_ONCE}`
      for (const row of rows) {
        const place = boundTo(row.key)
        if (tryOpen(next, purpose, place, row.sealed)) continue
        const text = tryOpen(past, purpose, place, row.sealed)
        if (!text) {
          rotation.lost++
          continue
        }
        // Compare-and-set: a value changed meanwhile is sealed with the new key.
        await tx`
          update ${tx(table)} set ${tx(column)} = ${next.seal(purpose, place, text)}
          where ${tx(key)} = ${row.key} and ${tx(column)} = ${row.sealed}`
        rotation.sealed++
      }
      return rows.at(-1)?.key
    })
    if (last === undefined) return
    after = last
  }
}

function tryOpen(secrets: Secrets, purpose: string, place: string, sealed: Buffer): Buffer | null {
  try {
    return secrets.openBytes(purpose, place, sealed)
  } catch {
    return null
  }
}
