import { randomUUID } from 'node:crypto'
import type { Log } from '../base/log.ts'
import { sleep, withinMs, type Service } from '../base/service.ts'
import type { Sql, SystemSql } from './postgres.ts'

export type ListenerDeps = {
  /** Of the service. */
  name: string
  channel: string
  /** Opens a pool of the listener's own; it is closed and opened anew after every failure. */
  openSql: () => SystemSql
  onChange: (payload: string) => void
  /** Changes arrive from now on; what happened before may have been missed. */
  onHearing: () => void
  /** Every change that was committed before `askedAtMs` (`performance.now()`) has arrived. */
  onHeard: (askedAtMs: number) => void
  onDeaf: () => void
  log: Log
  /** How often the listener calls itself, 2,000 by default. */
  pingEveryMs?: number
}

const PING_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
const RETRY_MS = 500
/** Begins the payload of the listeners' own calls; those of other processes are no changes either. */
const PING = 'ping:'

/**
 * Hears of changes through LISTEN. A connection that looks open proves nothing (half-open TCP, a
 * pooler that drops LISTEN), so the listener calls itself:
 *
 *   deaf ──listening, own call heard──▶ hearing ──call not heard, connection lost──▶ deaf
 *                                        └── the driver listened anew ──▶ hearing, all is doubtful
 */
export function createListener(deps: ListenerDeps): Service {
  const { channel, pingEveryMs = PING_EVERY_MS } = deps

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sql = deps.openSql()
      try {
        await hear(sql, signal)
      } catch (error) {
        if (!signal.aborted) deps.log.warn({ err: error, channel }, 'changes are not heard')
      }
      deps.onDeaf()
      await withinMs(sql.end({ timeout: 1 }), TIMEOUT_MS).catch(() => {})
      await sleep(RETRY_MS, signal)
    }
  }

  /** Rejects when the listener has become deaf. */
  async function hear(sql: Sql, signal: AbortSignal): Promise<void> {
    const self = `${PING}${randomUUID()}`
    let isHearing = false
    let onPing = () => {}
    const onPayload = (payload: string) => {
      if (payload === self) onPing()
      else if (!payload.startsWith(PING)) deps.onChange(payload)
    }
    const onListening = () => {
      if (isHearing) deps.onHearing()
    }
    await withinMs(sql.listen(channel, onPayload, onListening), TIMEOUT_MS)
    while (!signal.aborted) {
      const pinged = new Promise<void>((resolve) => (onPing = resolve))
      const askedAtMs = performance.now()
      await withinMs(
        sql`select pg_notify(${channel}, ${self})`.then(() => pinged),
        TIMEOUT_MS,
      )
      if (!isHearing) deps.onHearing()
      isHearing = true
      deps.onHeard(askedAtMs)
      await sleep(pingEveryMs, signal)
    }
  }

  return { name: deps.name, run }
}
