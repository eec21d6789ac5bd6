import { randomBytes } from 'node:crypto'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { LOGIN } from '../../src/platform/storage/embedded/postgres-setup.ts'
import { closePostgres, openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { withDatabase } from './engine-pair.ts'

/** Engines that run already. The address of PostgreSQL is that for the superuser. */
export type EngineAddresses = { postgresUrl: string; clickhouseUrl: string }

/** A database of its own in an engine that others use, too. */
export type OwnDatabase = { url: string; drop: () => Promise<void> }

/** The engines of the test run, which `global-setup.ts` starts; null outside of one. */
export function enginesOfRun(): EngineAddresses | null {
  const postgresUrl = process.env.SIGNPOST_TEST_POSTGRES
  const clickhouseUrl = process.env.SIGNPOST_TEST_CLICKHOUSE
  return postgresUrl && clickhouseUrl ? { postgresUrl, clickhouseUrl } : null
}

/** Creates a copy of the template for the program's login. Its address is that for the superuser. */
export async function clonePostgres(
  engines: EngineAddresses,
  template: string,
): Promise<OwnDatabase> {
  const name = freshName()
  await asSuperuser(engines, `create database ${name} template ${template} owner ${LOGIN}`)
  return {
    url: withDatabase(engines.postgresUrl, name),
    drop: () => asSuperuser(engines, `drop database ${name} with (force)`),
  }
}

/** Creates a ClickHouse database without tables. */
export async function makeClickHouse({ clickhouseUrl }: EngineAddresses): Promise<OwnDatabase> {
  const name = freshName()
  const run = async (query: string) => {
    const clickhouse = openClickHouse(clickhouseUrl)
    await clickhouse.command({ query })
    await clickhouse.close()
  }
  await run(`create database ${name}`)
  return { url: withDatabase(clickhouseUrl, name), drop: () => run(`drop database ${name}`) }
}

function freshName(): string {
  return `t_${randomBytes(8).toString('hex')}`
}

async function asSuperuser({ postgresUrl }: EngineAddresses, statement: string): Promise<void> {
  // Without a timeout: dropping a database waits for a checkpoint, and for the writes of other tests.
  const parameters = { statement_timeout: '0' }
  const sql = openPostgres(postgresUrl, { maxConnections: 1, parameters })
  try {
    await sql.unsafe(statement)
  } finally {
    await closePostgres(sql)
  }
}
