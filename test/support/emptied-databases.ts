import { setTimeout as delay } from 'node:timers/promises'
import {
  openClickHouse,
  type ClickHouseClient,
} from '../../src/platform/storage/clickhouse/clickhouse.ts'
import {
  closePostgres,
  openPostgres,
  type Sql,
} from '../../src/platform/storage/postgres/postgres.ts'
import { selectRows } from './click-rows.ts'

/** A pair of databases; the address of PostgreSQL is that for the superuser. */
export type DatabaseAddresses = { superuserUrl: string; clickhouseUrl: string }

/** What was migrated, and a counter with one row. */
const KEPT = ['migrations', 'click_arrival_count']
const CLICKHOUSE_LEDGER = 'signpost_migrations'

let newShape: string | null = null
let newClickHouse: string | null = null

/** Remembers the catalog of a new database, with which {@link clearPostgres} compares that of a used one. */
export async function rememberShape(superuserUrl: string): Promise<void> {
  newShape ??= await withSuperuser(superuserUrl, readShape)
}

/**
 * Deletes all rows of both but the id that they share.
 * @param migrated the address of a ClickHouse database with the tables of the migrations
 * @returns false as {@link clearPostgres}
 */
export async function clearPair(
  { superuserUrl, clickhouseUrl }: DatabaseAddresses,
  migrated: string,
): Promise<boolean> {
  newClickHouse ??= (await withClickHouse(migrated, readClickHouse)).shape
  const { shape, installationIds } = await withClickHouse(clickhouseUrl, readClickHouse)
  const ids = await withSuperuser(
    superuserUrl,
    (sql) => sql<{ id: string }[]>`select id from installation`,
  )
  const isWhole =
    shape === newClickHouse && installationIds.join() === ids.map(({ id }) => id).join()
  if (!isWhole || !(await clearPostgres(superuserUrl, [...KEPT, 'installation']))) return false
  await withClickHouse(clickhouseUrl, clearClickHouse)
  return true
}

/**
 * Deletes all rows.
 * @returns false for a database that cannot be used again: a test changed its tables, filled them or is still connected
 */
export async function clearPostgres(superuserUrl: string, kept = KEPT): Promise<boolean> {
  return withSuperuser(superuserUrl, async (sql) => {
    if ((await readShape(sql)) !== newShape || (await isLarge(sql)) || (await isInUse(sql)))
      return false
    await deleteRows(sql, kept)
    return true
  })
}

async function withSuperuser<T>(url: string, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = openPostgres(url, { maxConnections: 1 })
  try {
    return await work(sql)
  } finally {
    await closePostgres(sql)
  }
}

/**
 * What a test may change in a catalog. A clone has the rows of its template, with their transaction ids. Each start grants
 * all rights again, which rewrites the rows of tables and functions, so those are compared by what they say.
 */
async function readShape(sql: Sql): Promise<string> {
  const [row] = await sql<{ shape: string }[]>`
    select concat_ws(' ',
      (select md5(string_agg(concat(oid, relname, relacl, relowner, relrowsecurity, relforcerowsecurity), ' ' order by oid))
        from pg_class where relnamespace = 'public'::regnamespace),
      (select md5(string_agg(concat(oid, prosrc, proacl, prosecdef), ' ' order by oid))
        from pg_proc where pronamespace = 'public'::regnamespace),
      (select concat(count(*), max(xmin::text::bigint)) from pg_attribute),
      (select concat(count(*), max(xmin::text::bigint)) from pg_constraint),
      (select concat(count(*), max(xmin::text::bigint)) from pg_trigger),
      (select concat(count(*), max(xmin::text::bigint)) from pg_policy),
      (select count(*) from pg_namespace where nspname !~ '^pg_'),
      (select string_agg(setconfig::text, ' ' order by setconfig::text) from pg_db_role_setting),
      (select string_agg(concat(name, checksum), ' ' order by name) from migrations)
    ) as shape`
  return row!.shape
}

/** The hooks of the test before may still close connections. */
async function isInUse(sql: Sql): Promise<boolean> {
  for (let tries = 0; tries < 50; tries++) {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`
    if (row!.count === 0) return false
    await delay(20)
  }
  return true
}

/** Many rows leave pages behind that later reads pass through. */
async function isLarge(sql: Sql): Promise<boolean> {
  const [found] = await sql`
    select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and pg_relation_size(oid) > 1000000 limit 1`
  return found !== undefined
}

/** Without triggers and foreign keys. */
async function deleteRows(sql: Sql, kept: readonly string[]): Promise<void> {
  await sql.unsafe(`
    set session_replication_role = replica;
    do $$
    declare name regclass;
    begin
      for name in
        select oid from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
          and relname not in (${kept.map((each) => `'${each}'`).join(', ')}) and pg_relation_size(oid) > 0
      loop
        execute format('delete from %s', name);
      end loop;
    end $$;
    update click_arrival_count set arrivals = 0;
    update installation set key_canary = null, clickhouse_ready_at = null`)
}

async function withClickHouse<T>(
  url: string,
  work: (clickhouse: ClickHouseClient) => Promise<T>,
): Promise<T> {
  const clickhouse = openClickHouse(url)
  try {
    return await work(clickhouse)
  } finally {
    await clickhouse.close()
  }
}

/** Its tables and migrations, and the installations that these name. */
async function readClickHouse(clickhouse: ClickHouseClient) {
  const tables = await selectRows<{ name: string; made: string }>(
    clickhouse,
    `select name, replaceAll(create_table_query, concat(database, '.'), '') as made
    from system.tables where database = currentDatabase() order by name`,
  )
  const hasLedger = tables.some(({ name }) => name === CLICKHOUSE_LEDGER)
  const applied = hasLedger
    ? await selectRows<{ name: string; checksum: string; id: string }>(
        clickhouse,
        `select name, checksum, installation_id as id from ${CLICKHOUSE_LEDGER} order by name`,
      )
    : []
  return {
    shape: JSON.stringify([tables, applied.map(({ name, checksum }) => [name, checksum])]),
    installationIds: [...new Set(applied.map(({ id }) => id))],
  }
}

async function clearClickHouse(clickhouse: ClickHouseClient): Promise<void> {
  const tables = await selectRows<{ name: string }>(
    clickhouse,
    `select name from system.tables where database = currentDatabase() and name <> '${CLICKHOUSE_LEDGER}'`,
  )
  for (const { name } of tables) await clickhouse.command({ query: `truncate table ${name}` })
}
