import { randomUUID } from 'node:crypto'
import type { Log } from '../base/log.ts'
import { createOutageWarning, sleep, withinMs, type Service } from '../base/service.ts'
import type { Sql, SystemSql } from './postgres.ts'

export type ListenerDeps = {
  /** Name of the service. */
  name: string
  channel: string
  /** Opens a pool for the listener alone, which closes it and opens another after every failure. */
  openSql: () => SystemSql
  onChange: (payload: string) => void
  /** Changes arrive from now on; earlier ones may have been missed. */
  onConnected: () => void
  /** Every change that was committed before `sentAtMs` (`performance.now()`) has arrived. */
  onConfirmed: (sentAtMs: number) => void
  onDisconnected: () => void
  log: Log
  /** Pause between two pings, 2,000 by default. */
  pingEveryMs?: number
}

const PING_EVERY_MS = 2_000
const TIMEOUT_MS = 2_000
const RETRY_MS = 500
/** Begins the payload of a ping; the pings of other processes are not changes either. */
const PING = 'ping:'

/**
 * Receives changes through LISTEN. A connection that looks open may not deliver (half-open TCP, a
 * pooler that drops LISTEN), so the listener notifies itself:
 *
 *   disconnected ──LISTEN, own ping arrives──▶ connected ──ping or connection lost──▶ disconnected
 *                                                 └── the driver repeats LISTEN ──▶ connected, `onConnected`
 */
export function createListener(deps: ListenerDeps): Service {
  const { channel, pingEveryMs = PING_EVERY_MS } = deps
  const warn = createOutageWarning(deps.log)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const sql = deps.openSql()
      try {
        await receive(sql, signal)
      } catch (error) {
        if (!signal.aborted)
          warn({ err: error, channel }, 'LISTEN connection lost, connecting again')
      }
      deps.onDisconnected()
      await withinMs(sql.end({ timeout: 1 }), TIMEOUT_MS).catch(() => {})
      await sleep(RETRY_MS, signal)
    }
  }

  /** Rejects when the connection is lost. */
  async function receive(sql: Sql, signal: AbortSignal): Promise<void> {
    const ownPing = `${PING}${randomUUID()}`
    let isConnected = false
    let onPing = () => {}
    const onPayload = (payload: string) => {
      if (payload === ownPing) onPing()
      else if (!payload.startsWith(PING)) deps.onChange(payload)
    }
    const onListening = () => {
      if (isConnected) deps.onConnected()
    }
    await withinMs(sql.listen(channel, onPayload, onListening), TIMEOUT_MS)
    while (!signal.aborted) {
      const arrived = new Promise<void>((resolve) => (onPing = resolve))
      const sentAtMs = performance.now()
      await withinMs(
        sql`select pg_notify(${channel}, ${ownPing})`.then(() => arrived),
        TIMEOUT_MS,
      )
      if (!isConnected) deps.onConnected()
      isConnected = true
      deps.onConfirmed(sentAtMs)
      await sleep(pingEveryMs, signal)
    }
  }

  return { name: deps.name, run }
}
