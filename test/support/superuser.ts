import { appendFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { LOGIN, SUPERUSER } from '../../src/platform/storage/embedded/postgres-setup.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { eventually } from './eventually.ts'

/** An embedded PostgreSQL that runs. */
type RunningPostgres = {
  readonly postgresUrl: string | null
  pids(): { postgres: number | null }
}

/**
 * Lets every role connect to every database of an embedded PostgreSQL, until that is started again.
 * Its rules admit the program's own login alone.
 * @returns the address of the superuser
 */
export async function admitSuperuser(engines: RunningPostgres): Promise<string> {
  const url = new URL(engines.postgresUrl!)
  const runtimeDir = dirname(url.searchParams.get('host')!)
  appendFileSync(join(runtimeDir, 'pg_hba.conf'), 'local all all peer map=tests\n')
  appendFileSync(join(runtimeDir, 'pg_ident.conf'), `tests "${userInfo().username}" all\n`)
  process.kill(engines.pids().postgres!, 'SIGHUP')
  url.username = SUPERUSER
  const sql = openPostgres(url.href, { maxConnections: 1 })
  await eventually(async () => {
    await sql`select 1`
  })
  await closePostgres(sql)
  return url.href
}

/** The same address for the login that owns the program's database. */
export function asLogin(superuserUrl: string): string {
  const url = new URL(superuserUrl)
  url.username = LOGIN
  return url.href
}
