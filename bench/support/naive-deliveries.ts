import { createHmac } from 'node:crypto'
import type { Secrets } from '../../src/platform/core/secrets.ts'
import { openEndpointSecret } from '../../src/webhooks/delivery/signature.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'

type Row = {
  id: string
  workspaceId: string
  endpointId: string
  eventId: string
  eventAt: Date
  eventType: string
  attempts: number
  createdAt: Date
  url: string
  secretSealed: Buffer
  data: string
}

const IDLE_MS = 50

/**
 * The simplest engine that is correct: some loops, each of which takes the row that is due first,
 * sends it with `fetch` while it holds the row's lock, and writes the outcome.
 */
export async function deliverNaively(
  sql: Sql,
  secrets: Secrets,
  loops: number,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(
    Array.from({ length: loops }, async () => {
      while (!signal.aborted) {
        const hadWork = await inTransaction(sql, async (tx) => {
          const [row] = await tx<Row[]>`
            select q.*, e.url, e.secret_sealed, v.data from webhook_queue q
            join webhook_endpoints e on e.id = q.endpoint_id
            join events v on v.id = q.event_id and v.created_at = q.event_at
            where q.due_at <= now() and q.status in (0, 3)
            order by q.due_at limit 1 for update of q skip locked`
          if (!row) return false
          const startedAt = performance.now()
          const status = await send(row, secrets)
          const durationMs = Math.round(performance.now() - startedAt)
          const attempts = row.attempts + 1
          if (status < 200 || status > 299) {
            await tx`
              update webhook_queue set status = 3, attempts = ${attempts}, due_at = now() + interval '30 s'
              where id = ${row.id}`
            return true
          }
          await tx`delete from webhook_queue where id = ${row.id}`
          await tx`
            insert into webhook_log (id, finished_at, workspace_id, endpoint_id, event_id, event_at,
              event_type, status, attempts, response_status, duration_ms, created_at)
            values (${row.id}, now(), ${row.workspaceId}, ${row.endpointId}, ${row.eventId},
              ${row.eventAt}, ${row.eventType}, 2, ${attempts}, ${status}, ${durationMs}, ${row.createdAt})`
          return true
        })
        if (!hadWork) await new Promise((resolve) => setTimeout(resolve, IDLE_MS))
      }
    }),
  )
}

async function send(row: Row, secrets: Secrets): Promise<number> {
  const secret = openEndpointSecret(secrets, row.endpointId, row.secretSealed)
  const timestamp = Math.floor(Date.now() / 1000)
  const body = JSON.stringify({
    id: row.id,
    type: row.eventType,
    workspaceId: row.workspaceId,
    endpointId: row.endpointId,
    attempt: row.attempts + 1,
    createdAt: row.createdAt,
    data: JSON.parse(row.data),
  })
  const signature = createHmac('sha256', secret).update(`t.${timestamp}.${body}`).digest('hex')
  try {
    const response = await fetch(row.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-service-event': row.eventType,
        'x-service-event-id': row.eventId,
        'x-service-timestamp': String(timestamp),
        'x-service-signature': `t=${timestamp},v1=${signature}`,
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    await response.text()
    return response.status
  } catch {
    return 0
  }
}
