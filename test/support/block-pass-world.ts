import type { Clock } from '../../src/platform/core/clock.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { repeat } from '../../src/platform/core/service.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { createBlocks } from '../../src/operator/abuse/blocks.ts'
import { applyBlocks } from '../../src/operator/abuse/passes.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createDomainBlocking } from '../../src/domains/domains/fields.ts'
import { createCapabilities, createLimit } from '../../src/platform/plans/limits.ts'
import { createLinkBlocking, type LinkBlocking } from '../../src/links/write/blocking.ts'
import { createHashLinkPassword } from '../../src/links/write/password.ts'
import { createShortHost } from '../../src/links/link/dependencies.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import type { SystemSql, TenantSql } from '../../src/platform/storage/postgres/postgres.ts'
import { saveNoResponse } from './fixtures.ts'
import { heavyReadsOn } from './heavy-reads.ts'

type Pools = { sql: TenantSql; systemSql: SystemSql }
type Options = {
  clock: Clock
  /** Called in the transaction of each step that has changed links. */
  onWritten?: () => void
}

/** The passes of blocks and the commands of the operator, on pools with the roles of the program. */
export function createPassRules(
  { sql, systemSql }: Pools,
  { clock, onWritten = () => {} }: Options,
) {
  const origin = 'http://localhost:3000'
  const shortHost = createShortHost({ publicUrl: null, shortUrl: null, origin, port: 3000 })
  const plans = readPlans(null)
  const log = openLog('silent')
  const deps = {
    ...{ sql, systemSql, clock, log },
    reads: heavyReadsOn(sql),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    publish: createOutbox(clock),
    saveIdempotentResponse: saveNoResponse,
    hashLinkPassword: createHashLinkPassword(createSecrets('a secret key')),
    shortHost: () => shortHost,
  }
  const rules = createLinkBlocking(deps)
  const linkBlocking: LinkBlocking = {
    ...rules,
    blockLinks: async (...args) => {
      await rules.blockLinks(...args)
      onWritten()
    },
    restoreLinks: async (...args) => {
      await rules.restoreLinks(...args)
      onWritten()
    },
  }
  const passDeps = {
    ...deps,
    linkBlocking,
    domainBlocking: createDomainBlocking(deps),
    rowsPerStep: 10,
  }
  const unused = () => Promise.reject(new Error('not used'))
  return {
    blocks: createBlocks({
      ...deps,
      linkBlocking,
      recordSecurity: unused,
      toDomain: unused,
    }),
    /** Repeats the sweep until the signal. */
    work: (signal: AbortSignal) =>
      repeat(signal, 50, () => applyBlocks(passDeps, signal), log, 'failed'),
  }
}
