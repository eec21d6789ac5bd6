import type { Clock } from '../base/clock.ts'
import { newId } from '../base/ids.ts'
import type { Tx } from '../storage/postgres.ts'
import type { EventType } from './catalog.ts'

export type Event = { type: EventType; workspaceId: string; data: Record<string, unknown> }

export type Publish = (tx: Tx, ...events: Event[]) => Promise<void>

/**
 * Puts events into the outbox, in the transaction of the change that caused them: if the change
 * was committed its event exists, and if not it never did.
 */
export function createOutbox(clock: Clock): Publish {
  return async (tx, ...events) => {
    if (events.length === 0) return
    const nowMs = clock()
    const rows = events.map((event) => ({
      id: newId('evt', nowMs),
      workspaceId: event.workspaceId,
      type: event.type,
      data: JSON.stringify(event.data),
      createdAt: new Date(nowMs),
    }))
    await tx`insert into events ${tx(rows)}`
  }
}
