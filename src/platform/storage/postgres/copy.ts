import type { Readable, Writable } from 'node:stream'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { connectionOf, type Tx } from './postgres.ts'

/** Read it to its end before the next statement of the transaction. */
export function copyOut(tx: Tx, text: string): Readable {
  const client = withoutPipeline(tx)
  return client.query(to(text)).once('close', () => (client.pipeline = true))
}

/** End it before the next statement of the transaction. */
export function copyIn(tx: Tx, text: string): Writable {
  const client = withoutPipeline(tx)
  return client.query(from(text)).once('close', () => (client.pipeline = true))
}

/** The streams take all that arrives on the connection. */
function withoutPipeline(tx: Tx): Client & { pipeline: boolean } {
  return Object.assign(connectionOf(tx).client, { pipeline: false })
}
