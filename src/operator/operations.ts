import type { Accounts } from '../accounts/accounts/accounts.ts'
import { bindDeps } from '../platform/core/functions.ts'
import { ApiError, OperatorError } from '../platform/core/errors.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Abuse } from './abuse/open.ts'
import type { Bootstrap } from './workspaces/bootstrap.ts'
import { changeOperators } from './users/operators.ts'
import { remove, type RemovalDeps, type ServerWorkspaces } from './workspaces/workspaces.ts'
import { verifyAuditChain, type Verification } from '../accounts/logs/chain.ts'
import { recountLinks, type Recount } from '../analytics/retention/recount.ts'
import { recountConversions, type ConversionRecount } from '../conversions/conversions/copy.ts'
import type { ClickHouseClient } from '../platform/storage/clickhouse/clickhouse.ts'
import type { SystemSql } from '../platform/storage/postgres/postgres.ts'

type Deps = Dependencies & RemovalDeps

type Rules = Pick<Abuse, 'blocks' | 'reports'> & {
  bootstrap: Bootstrap
  workspaces: ServerWorkspaces
  accounts: Pick<Accounts, 'exportByEmail'>
}

export type Operations = ReturnType<typeof createOperations>

/**
 * Functions from JSON to JSON, by command, that the server runs for its socket, and the command line itself while
 * no server runs. All throw OperatorError for bad input.
 */
export function createOperations(deps: Deps, rules: Rules) {
  const { bootstrap, accounts, blocks, reports, workspaces } = rules
  return withOperatorErrors({
    bootstrap: bootstrap.create,
    ...bindDeps(deps, { purge: remove, operators: changeOperators, verify }),
    workspaces: workspaces.list,
    suspend: workspaces.suspend,
    resume: workspaces.resume,
    'rate-limit': workspaces.setRateLimit,
    plan: workspaces.setPlan,
    block: blocks.block,
    unblock: blocks.unblock,
    blocks: blocks.list,
    reports: reports.listAll,
    'resolve-report': reports.resolve,
    'export-account': accounts.exportByEmail,
  })
}

function withOperatorErrors<T extends Record<string, (input: never) => Promise<unknown>>>(
  operations: T,
): T {
  return Object.fromEntries(
    Object.entries(operations).map(([name, operation]) => [
      name,
      async (input: never) => {
        try {
          return await operation(input)
        } catch (error) {
          throw error instanceof ApiError ? new OperatorError(error.message) : error
        }
      },
    ]),
  ) as T
}

/** `broken` has the first hundred; a `brokenTotal` of a thousand means at least a thousand. */
export type VerifyAnswer = Verification & {
  brokenTotal: number
  counters: Recount
  conversions: ConversionRecount
}

const MAX_BROKEN_SHOWN = 100

export async function verify(
  deps: { systemSql: SystemSql; clickhouse: ClickHouseClient },
  options: { repair?: boolean } = {},
): Promise<VerifyAnswer> {
  const databases = { sql: deps.systemSql, clickhouse: deps.clickhouse }
  const repair = options.repair === true
  const chain = await verifyAuditChain(deps.systemSql)
  const counters = await recountLinks(databases, { repair })
  const conversions = await recountConversions(databases, { repair })
  return {
    ...chain,
    broken: chain.broken.slice(0, MAX_BROKEN_SHOWN),
    brokenTotal: chain.broken.length,
    counters,
    conversions,
  }
}
