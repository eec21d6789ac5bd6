import { openLog } from '../../src/platform/core/log.ts'
import { Usage } from '../../src/operator/billing/usage.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import { openPostgres } from '../../src/platform/storage/postgres/postgres.ts'
import { WORKER_ROLE } from '../../src/platform/storage/postgres/roles.ts'

/**
 * A process that counts calls of one workspace until it is killed:
 * `usage-child.ts <postgres url> <workspace id>`. It prints what it has counted, and `stored N`
 * once that much is surely in the database.
 */
const [postgresUrl, workspaceId] = process.argv.slice(2)
const systemSql = openPostgres(postgresUrl!, { role: WORKER_ROLE })
const usage = new Usage({
  systemSql,
  clock: Date.now,
  plans: readPlans(null),
  log: openLog('silent'),
})
let counted = 0
for (;;) {
  for (let i = 0; i < 50; i++) await usage.take(workspaceId!, 'business')
  counted += 50
  process.stdout.write(`counted ${counted}\n`)
  await usage.flush()
  process.stdout.write(`stored ${counted}\n`)
}
