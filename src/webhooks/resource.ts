import { emptyTable, inPieces, PIECE_ROWS } from '../platform/resources/purge-steps.ts'
import type { Resource } from '../platform/resources/resource.ts'

export const webhooks = {
  scopes: {
    webhooks: {
      read: 'read endpoints, deliveries and event types',
      write: 'everything else below `/v1/webhooks`, secrets included',
    },
  },
  limits: ['webhook_endpoints'],
  capabilities: ['webhooks'],
  purgeFirst: [
    {
      name: 'deliveries',
      tables: [
        'webhook_subscriptions',
        'webhook_queue',
        'webhook_log',
        'webhook_tallies',
        'webhook_attempt_counts',
        'webhook_endpoints',
        'webhook_endpoint_stats',
        'webhook_lanes',
        'webhook_failure_mails',
      ],
      async run({ sql }, workspaceId, signal) {
        const empty = (table: string, extra = sql``) =>
          emptyTable(sql, table, workspaceId, signal, extra)
        // First, so that nothing new is queued.
        await empty('webhook_subscriptions')
        // In two halves, each covered by an index of the queue; the log likewise.
        await empty('webhook_queue', sql`and (attempts = 0 or is_hurried)`)
        await empty('webhook_queue', sql`and attempts > 0 and not is_hurried`)
        for (const isStatus of [sql`status = 2`, sql`status = 4`])
          await inPieces(
            signal,
            () => sql`
              delete from webhook_log where (finished_at, id) in (
                select finished_at, id from webhook_log
                where workspace_id = ${workspaceId} and ${isStatus} limit ${PIECE_ROWS})`,
          )
        await empty('webhook_tallies')
        await empty('webhook_attempt_counts')
        await empty('webhook_endpoints')
        await empty('webhook_failure_mails')
      },
    },
    {
      name: 'events',
      tables: ['events'],
      run: ({ sql }, workspaceId, signal) =>
        inPieces(
          signal,
          () => sql`
            delete from events where (created_at, id) in (
              select created_at, id from events where workspace_id = ${workspaceId} limit ${PIECE_ROWS})`,
        ),
    },
  ],
} as const satisfies Resource
