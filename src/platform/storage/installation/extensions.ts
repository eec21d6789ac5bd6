import { OperatorError } from '../../core/errors.ts'
import { sleep } from '../../core/service.ts'
import type { Sql } from '../postgres/postgres.ts'

/**
 * Extensions of PostgreSQL that the search of links needs. Both come with PostgreSQL and are trusted:
 * every role with the right to create in the database may create them.
 */
const EXTENSIONS = ['pg_trgm', 'btree_gin'] as const

/** unique_violation, duplicate_object: another process creates it at the same moment. */
const COLLISIONS = new Set(['23505', '42710'])
const ATTEMPTS = 5
const RETRY_MS = 100
const INSUFFICIENT_PRIVILEGE = '42501'
/** feature_not_supported, undefined_file: the server was installed without its contrib modules. */
const NOT_INSTALLED = new Set(['0A000', '58P01'])

/**
 * Creates the missing extensions.
 * @throws OperatorError with the statements that an administrator can run instead, or when they are not
 *   installed
 */
export async function makeExtensions(sql: Sql): Promise<void> {
  for (let attempts = 1; ; attempts++) {
    const missing = await missingExtensions(sql)
    if (missing.length === 0) return
    try {
      for (const name of missing) await sql.unsafe(`create extension if not exists ${name}`)
    } catch (error) {
      const { code = '', message } = error as { code?: string; message: string }
      if (code === INSUFFICIENT_PRIVILEGE) throw await refusal(sql, missing)
      if (NOT_INSTALLED.has(code))
        throw new OperatorError(
          `PostgreSQL lacks the extensions ${EXTENSIONS.join(' and ')}; install the contrib modules of its version (${message}).`,
        )
      if (!COLLISIONS.has(code) || attempts === ATTEMPTS) throw error
      await sleep(RETRY_MS)
    }
  }
}

async function missingExtensions(sql: Sql): Promise<string[]> {
  const rows = await sql<{ extname: string }[]>`select extname from pg_extension`
  const present = new Set(rows.map((row) => row.extname))
  return EXTENSIONS.filter((name) => !present.has(name))
}

async function refusal(sql: Sql, missing: readonly string[]): Promise<OperatorError> {
  const [row] = await sql<{ name: string; database: string }[]>`
    select current_user as name, current_database() as database`
  const statements = missing.map((name) => `create extension ${name};`).join(' ')
  return new OperatorError(
    `The PostgreSQL role ${row!.name} of DATABASE_URL may not create extensions; let an administrator run "${statements}" in the database ${row!.database} once.`,
  )
}
