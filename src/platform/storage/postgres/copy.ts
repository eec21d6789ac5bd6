import type { Readable, Writable } from 'node:stream'
import type { Client } from 'pg'
import { from, to } from 'pg-copy-streams'
import { connectionOf, type Tx } from './postgres.ts'

/** The rows of a `copy … to stdout`, to be read to their end before the next statement of the transaction. */
export function copyOut(tx: Tx, text: string): Readable {
  const client = withoutPipeline(tx)
  return client.query(to(text)).once('close', () => (client.pipeline = true))
}

/** Takes the rows of a `copy … from stdin`; to be ended before the next statement of the transaction. */
export function copyIn(tx: Tx, text: string): Writable {
  const client = withoutPipeline(tx)
  return client.query(from(text)).once('close', () => (client.pipeline = true))
}

/** The streams take what arrives on the connection for theirs. */
function withoutPipeline(tx: Tx): Client & { pipeline: boolean } {
  return Object.assign(connectionOf(tx).client, { pipeline: false })
}
