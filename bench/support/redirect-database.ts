import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openLog } from '../../src/base/log.ts'
import { openEngines } from '../../src/storage/embedded/engines.ts'
import { closePostgres, openPostgres } from '../../src/storage/postgres.ts'

export type RedirectDatabase = { url: string; [Symbol.asyncDispose](): Promise<void> }

const TABLES = join(import.meta.dirname, '../../migrations/postgres/0001_core.sql')

/** A PostgreSQL whose `links` holds `s0` … `s<count - 1>`: the given one, or one under `dataDir`. */
export async function openRedirectDatabase(
  given: string | undefined,
  dataDir: string,
  count: number,
): Promise<RedirectDatabase> {
  if (given !== undefined) {
    await fill(given, count)
    return { url: given, [Symbol.asyncDispose]: () => Promise.resolve() }
  }
  const log = openLog('warn', process.stderr)
  const engines = await openEngines({ dataDir, log, postgres: true, clickhouse: false })
  await fill(engines.postgresUrl!, count)
  return {
    url: engines.postgresUrl!,
    [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose](),
  }
}

async function fill(url: string, count: number): Promise<void> {
  const sql = openPostgres(url)
  const [known] = await sql`select to_regclass('links') as links`
  if (known!['links'] === null) await sql.unsafe(readFileSync(TABLES, 'utf8'))
  await sql`
    insert into workspaces (id, name, created_at, updated_at)
    values ('ws_bench', 'Bench', now(), now()) on conflict do nothing`
  await sql`
    insert into links (id, workspace_id, name, slug, slug_key, destination_url, created_by,
      created_at, updated_at)
    select 'lnk_' || lpad(i::text, 26, '0'), 'ws_bench', 'n', 's' || i, 's' || i,
      'https://example.com/landing/page?id=' || i, 'bench', now(), now()
    from generate_series(0, ${count - 1}::int) i
    on conflict do nothing`
  await sql`analyze links`
  await closePostgres(sql)
}
