import { randomUUID } from 'node:crypto'
import type { Log } from '../../core/log.ts'
import { createOutageWarning, sleep, withinMs, type Service } from '../../core/service.ts'
import type { Notice, Notices } from './notices.ts'
import { closePostgres, openBeside, type Sql } from './postgres.ts'
import { createTemplate } from './statement.ts'

type ListenerDeps = {
  /** Connects to PostgreSQL itself; closed at the end. */
  sql: Sql
  notices: Notices
  log: Log
}

const PING_CHANNEL = 'signpost_pings'
const PING_EVERY_MS = 400
const TIMEOUT_MS = 2_000
const RETRY_MS = 500

/**
 * One connection for all channels. A connection that looks open may not deliver (half-open TCP, a pooler that drops
 * LISTEN), so the listener also notifies itself.
 */
export function createListener(deps: ListenerDeps): Service {
  const { sql, notices, log } = deps
  const warn = createOutageWarning(log)

  async function run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await receive(signal)
      } catch (error) {
        if (!signal.aborted) warn({ err: error }, 'LISTEN connection lost, connecting again')
      }
      for (const { onDisconnected } of notices.subscribers) onDisconnected?.()
      await sleep(RETRY_MS, signal)
    }
    await closePostgres(sql)
  }

  async function receive(signal: AbortSignal): Promise<void> {
    const ownPing = randomUUID()
    let isConnected = false
    let onPing = () => {}
    const onNotice = (notice: Notice) => {
      if (notice.channel !== PING_CHANNEL) void notices.receive(notice)
      else if (notice.payload === ownPing) onPing()
    }
    const channels = [...notices.channels, PING_CHANNEL]
    const listening = await withinMs(listen(sql, channels, onNotice), TIMEOUT_MS)
    try {
      while (!signal.aborted) {
        const arrived = new Promise<void>((resolve) => (onPing = resolve))
        const sentAtMs = performance.now()
        const sent = sql`select pg_notify(${PING_CHANNEL}, ${ownPing})`.execute()
        await withinMs(Promise.all([sent, arrived]), TIMEOUT_MS)
        for (const { onConnected, onConfirmed } of notices.subscribers) {
          if (!isConnected) onConnected?.()
          onConfirmed?.(sentAtMs)
        }
        isConnected = true
        await Promise.race([sleep(PING_EVERY_MS, signal), listening.lost])
      }
    } finally {
      listening.close()
    }
  }

  return { name: 'listener', run }
}

export type Listening = {
  readonly lost: Promise<never>
  close(): void
}

export async function listen(
  sql: Sql,
  channels: readonly string[],
  receive: (notice: Notice) => void,
): Promise<Listening> {
  const connection = await openBeside(sql)
  connection.client.on('notification', ({ channel, payload = '' }) => receive({ channel, payload }))
  const lost = new Promise<never>((_, reject) =>
    connection.client.once('end', () => reject(new Error('the connection was lost'))),
  )
  lost.catch(() => {})
  const template = createTemplate((statement) => connection.run(statement))
  for (const channel of channels) await template`listen ${template(channel)}`
  return { lost, close: () => connection.destroy() }
}
