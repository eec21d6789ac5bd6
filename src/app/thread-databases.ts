import type { Config } from '../config/config.ts'
import type { Addresses } from '../storage/stores.ts'

/** Settings with which a thread of this process opens its own connections to PostgreSQL. */
export type ThreadPostgres = {
  postgresUrl: string
  /** DATABASE_POOL_URL; null without a pooler, and for an embedded PostgreSQL. */
  poolUrl: string | null
}

/** Settings with which a thread of this process opens its own connections to both databases. */
export type ThreadDatabases = ThreadPostgres & {
  clickhouseUrl: string
  clickhouseCluster: string | null
}

type PostgresSettings = Pick<Config, 'databaseUrl' | 'databasePoolUrl'>

export function toThreadPostgres(
  { databaseUrl, databasePoolUrl }: PostgresSettings,
  addresses: Addresses,
): ThreadPostgres {
  return {
    postgresUrl: addresses.databaseUrl,
    poolUrl: databaseUrl === null ? null : databasePoolUrl,
  }
}

export function toThreadDatabases(
  config: PostgresSettings & Pick<Config, 'clickhouseCluster'>,
  addresses: Addresses,
): ThreadDatabases {
  return {
    ...toThreadPostgres(config, addresses),
    clickhouseUrl: addresses.clickhouseUrl,
    clickhouseCluster: config.clickhouseCluster,
  }
}
