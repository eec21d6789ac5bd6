import type { Sql, SystemSql, TenantSql } from '../../src/platform/storage/postgres/postgres.ts'

/** A pool of the owner of the test's database, for rules that take one of the request role. */
export function asTenant(sql: Sql): TenantSql {
  return sql as TenantSql
}

/** A pool of the owner of the test's database, for rules that take one of the worker role. */
export function asSystem(sql: Sql): SystemSql {
  return sql as SystemSql
}
