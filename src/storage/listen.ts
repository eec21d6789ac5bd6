import { randomUUID } from 'node:crypto'
import type { Log } from '../base/log.ts'
import { createOutageWarning, sleep, withinMs, type Service } from '../base/service.ts'
import { openBeside, type Sql } from './postgres.ts'
import { createTemplate } from './statement.ts'

export type ListenerDeps = {
  /** Name of the service. */
  name: string
  channel: string
  /** A pool whose connections lead to PostgreSQL itself. */
  sql: Sql
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
 */
export function createListener(deps: ListenerDeps): Service {
  const { channel, pingEveryMs = PING_EVERY_MS } = deps
  const warn = createOutageWarning(deps.log)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await receive(signal)
      } catch (error) {
        if (!signal.aborted)
          warn({ err: error, channel }, 'LISTEN connection lost, connecting again')
      }
      deps.onDisconnected()
      await sleep(RETRY_MS, signal)
    }
  }

  /** Rejects when the connection is lost. */
  async function receive(signal: AbortSignal): Promise<void> {
    const ownPing = `${PING}${randomUUID()}`
    let isConnected = false
    let onPing = () => {}
    const onPayload = (payload: string) => {
      if (payload === ownPing) onPing()
      else if (!payload.startsWith(PING)) deps.onChange(payload)
    }
    const listening = await withinMs(listen(deps.sql, channel, onPayload), TIMEOUT_MS)
    try {
      while (!signal.aborted) {
        const arrived = new Promise<void>((resolve) => (onPing = resolve))
        const sentAtMs = performance.now()
        const sent = deps.sql`select pg_notify(${channel}, ${ownPing})`.execute()
        await withinMs(Promise.all([sent, arrived]), TIMEOUT_MS)
        if (!isConnected) deps.onConnected()
        isConnected = true
        deps.onConfirmed(sentAtMs)
        await Promise.race([sleep(pingEveryMs, signal), listening.lost])
      }
    } finally {
      listening.close()
    }
  }

  return { name: deps.name, run }
}

export type Listening = {
  /** Rejects when the connection is lost. */
  readonly lost: Promise<never>
  close(): void
}

/** Listens on a connection beside the pool. */
export async function listen(
  sql: Sql,
  channel: string,
  receive: (payload: string) => void,
): Promise<Listening> {
  const connection = await openBeside(sql)
  connection.client.on('notification', ({ payload }) => receive(payload ?? ''))
  const lost = new Promise<never>((_, reject) =>
    connection.client.once('end', () => reject(new Error('the connection was lost'))),
  )
  lost.catch(() => {})
  const template = createTemplate((statement) => connection.run(statement))
  await template`listen ${template(channel)}`
  return {
    lost,
    close: () => connection.destroy(),
  }
}
