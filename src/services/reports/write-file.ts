import { deflateRawSync } from 'node:zlib'
import type { Who } from '../../base/who.ts'
import { CHUNK_BYTES } from './files.ts'
import { FORMATS } from './formats/formats.ts'
import type { ReportFormat } from './schema.ts'
import { openTable, toFacts, type Asked, type SourceDeps } from './sources.ts'

/** The file that a run writes. */
export type AskedFile = Asked & { name: string; format: ReportFormat }

/** The next `CHUNK_BYTES` of a file, or its rest. */
export type FilePiece = {
  /** Compressed (RFC 1951). */
  content: Uint8Array
  /** Length before the compression. */
  bytes: number
  /** Rows of the file so far. */
  rows: number
  /** The part of all rows that is written, from 0 to 1. */
  done: number
  isLast: boolean
}

/** Makes the pieces of a file; its reader stops it with `return`. */
export type WriteFile = (who: Who, asked: AskedFile) => AsyncGenerator<FilePiece>

/**
 * The file of a report, whose rows are read while its pieces are taken. Rows, text and compression are made on the calling
 * thread, so that all of it has the priority of that thread: Node's own pool has that of the event loop.
 */
export async function* writeFile(
  deps: SourceDeps,
  who: Who,
  asked: AskedFile,
): AsyncGenerator<FilePiece> {
  const table = await openTable(deps, who, asked)
  const facts = toFacts(deps, who, asked)
  let waiting = Buffer.alloc(0)
  let progress = { rows: 0, done: 0 }
  for await (const { content, rows, done } of FORMATS[asked.format].write(table, facts)) {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content
    waiting = Buffer.concat([waiting, bytes])
    progress = { rows: progress.rows + rows, done }
    while (waiting.length >= CHUNK_BYTES) {
      yield { ...toPiece(waiting.subarray(0, CHUNK_BYTES)), ...progress, isLast: false }
      waiting = waiting.subarray(CHUNK_BYTES)
    }
  }
  yield { ...toPiece(waiting), ...progress, isLast: true }
}

function toPiece(bytes: Buffer) {
  return { content: deflateRawSync(bytes, { level: 1 }), bytes: bytes.length }
}
