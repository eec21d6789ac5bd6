import type { Clock } from '../../platform/core/clock.ts'
import { fanOut, type EventRow } from '../../webhooks/delivery/outbox.ts'
import { toClickData, type ToShortUrl } from '../../platform/facts/click-data.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readRows, type Frozen, type LinkTally, type RowFields } from './rows.ts'

export type AnnouncingDeps = {
  clock: Clock
  toShortUrl: ToShortUrl
  /** Live deliveries of an endpoint above which it gets no more clicks. */
  maxBacklog?: number
}

/** Ids of the workspaces among those of the tallies that subscribe to clicks. */
export async function readSubscribers(
  tx: Tx,
  tallies: readonly LinkTally[],
): Promise<ReadonlySet<string>> {
  const workspaceIds = [...new Set(tallies.map(({ workspaceId }) => workspaceId))]
  if (workspaceIds.length === 0) return new Set()
  const rows = await tx<{ workspaceId: string }[]>`
    select distinct workspace_id from webhook_subscriptions
    where workspace_id = any(${workspaceIds}::text[]) and event_type in ('click.received', '*')`
  return new Set(rows.map(({ workspaceId }) => workspaceId))
}

/**
 * Publishes click.received for every human click of a workspace that subscribes to it, in the
 * transaction that counts the clicks. An event's id contains its click's; the cursor ensures that a
 * segment that is shipped again makes no second event.
 */
export async function announceClicks(
  tx: Tx,
  deps: AnnouncingDeps,
  frozen: Frozen,
  subscribers: ReadonlySet<string>,
): Promise<void> {
  if (subscribers.size === 0) return
  for await (const rows of readRows(frozen)) {
    const events = rows
      .filter(({ fields }) => fields.kind === 'human' && subscribers.has(fields.workspace_id))
      .map(({ fields }) => toEvent(fields, deps.toShortUrl))
    if (events.length > 0) await fanOut(tx, deps.clock, events, deps.maxBacklog)
  }
}

function toEvent(row: RowFields, toShortUrl: ToShortUrl): EventRow {
  return {
    id: `evt_${row.click_id}`,
    workspaceId: row.workspace_id,
    type: 'click.received',
    data: JSON.stringify(toClickData(row, toShortUrl)),
  }
}
