import { randomUUID } from 'node:crypto'
import type { Log } from '../base/log.ts'
import { sleep } from '../base/service.ts'
import type { Service } from '../base/service.ts'
import type { Sql } from '../storage/postgres.ts'
import { withinMs } from './load.ts'

/** Payload: `<domain key>\n<slug key>`; the domain key of the shared default host is empty. */
const CHANNEL = 'signpost_links'
const PING_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
const RETRY_MS = 500

export type ListenerDeps = {
  /** Opens a pool of the listener's own; it is closed and opened anew after every failure. */
  openSql: () => Sql
  onChange: (key: string) => void
  /** Changes arrive from now on; what happened before may have been missed. */
  onHearing: () => void
  /** Every change up to now has arrived. */
  onHeard: () => void
  onDeaf: () => void
  log: Log
}

/**
 * Hears of changed links through LISTEN. A connection that looks open proves nothing (half-open
 * TCP, a pooler that drops LISTEN), so the listener calls itself every two seconds:
 *
 *   deaf ──listening, own call heard──▶ hearing ──call not heard, connection lost──▶ deaf
 *                                        └── the driver listened anew ──▶ hearing, all is doubtful
 */
export function createListener(deps: ListenerDeps): Service {
  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sql = deps.openSql()
      try {
        await hear(sql, signal)
      } catch (error) {
        if (!signal.aborted) deps.log.warn({ err: error }, 'changes of links are not heard')
      }
      deps.onDeaf()
      await withinMs(sql.end({ timeout: 1 }), TIMEOUT_MS).catch(() => {})
      await sleep(RETRY_MS, signal)
    }
  }

  /** Rejects when the listener has become deaf. */
  async function hear(sql: Sql, signal: AbortSignal): Promise<void> {
    const self = randomUUID()
    let isHearing = false
    let onPing = () => {}
    const onPayload = (payload: string) => {
      if (payload === self) onPing()
      else if (payload.includes('\n')) deps.onChange(payload)
    }
    const onListening = () => {
      if (isHearing) deps.onHearing()
    }
    await withinMs(sql.listen(CHANNEL, onPayload, onListening), TIMEOUT_MS)
    while (!signal.aborted) {
      const pinged = new Promise<void>((resolve) => (onPing = resolve))
      await withinMs(
        sql`select pg_notify(${CHANNEL}, ${self})`.then(() => pinged),
        TIMEOUT_MS,
      )
      if (!isHearing) deps.onHearing()
      isHearing = true
      deps.onHeard()
      await sleep(PING_EVERY_MS, signal)
    }
  }

  return { name: 'edge-listener', run }
}
