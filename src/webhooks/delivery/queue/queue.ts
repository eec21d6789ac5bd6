import { bindDeps } from '../../../platform/core/functions.ts'
import { claim } from './queue-claims.ts'
import { type QueueDeps, acquire, release, releaseOthers, sweep } from './queue-lanes.ts'
import { flush, lockedEndpoints } from './queue-outcomes.ts'

const LEASE_SECONDS = 15

/**
 * The statements of a worker run a hundred times a second and find every row by an index. They are never planned
 * by statistics, which are wrong for a table that is empty now and holds a million rows a minute later.
 */
export const QUEUE_PARAMETERS = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
} as const

export type Queue = ReturnType<typeof createQueue>

export const createQueue = (deps: QueueDeps) =>
  bindDeps(deps, {
    heartbeat,
    acquire,
    claim,
    flush,
    lockedEndpoints,
    release,
    releaseOthers,
    sweep,
    forgetWorkers,
    retire,
  })

async function heartbeat({ sql, workerId, host }: QueueDeps): Promise<void> {
  await sql`
    insert into webhook_workers (id, lease_until, started_at, host)
    values (${workerId}, now() + make_interval(secs => ${LEASE_SECONDS}), now(), ${host})
    on conflict (id) do update set lease_until = excluded.lease_until`
}

async function forgetWorkers({ sql, workerId }: QueueDeps): Promise<void> {
  await sql`
    delete from webhook_workers where lease_until < now() - interval '1 hour' and id <> ${workerId}`
}

async function retire({ sql, workerId }: QueueDeps): Promise<void> {
  await sql`delete from webhook_workers where id = ${workerId}`
}
