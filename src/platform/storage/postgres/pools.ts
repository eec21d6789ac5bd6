import type { Notices } from './notices.ts'
import {
  closePostgres,
  openPostgres,
  type PostgresOptions,
  type SystemSql,
  type TenantSql,
} from './postgres.ts'
import { REQUEST_ROLE, WORKER_ROLE } from './roles.ts'

/** Stands for the role in DATABASE_POOL_URL. */
const ROLE_PLACEHOLDER = '{role}'

type OpenPool<Pool> = (applicationName: string, options?: PostgresOptions) => Pool
type Shared = { postgresUrl: string; poolUrl: string | null; notices: Notices }

/**
 * Opens the pools of a process, which are closed with `pools`. They go through the pooler if there is one; those
 * with parameters of their own connect to PostgreSQL itself, since a pooler passes none on.
 */
export function createPools(
  { postgresUrl, poolUrl, notices }: Shared,
  pools: AsyncDisposableStack,
) {
  const openAs =
    (role: string) =>
    (applicationName: string, options: PostgresOptions = {}) => {
      const isPooled = poolUrl !== null && options.parameters === undefined
      const url = isPooled ? poolUrl.replaceAll(ROLE_PLACEHOLDER, role) : postgresUrl
      const own: PostgresOptions = { applicationName, notices, ...options, role, isPooled }
      const pool = openPostgres(url, own)
      pools.defer(() => closePostgres(pool))
      return pool
    }
  return {
    openTenant: openAs(REQUEST_ROLE) as OpenPool<TenantSql>,
    openSystem: openAs(WORKER_ROLE) as OpenPool<SystemSql>,
  }
}
