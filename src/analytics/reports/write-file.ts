import { setImmediate as nextTurn } from 'node:timers/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { CHUNK_BYTES, storePiece, type FileTarget } from './files.ts'
import { FORMATS } from './formats/formats.ts'
import type { ReportFormat } from './schema.ts'
import { openTable, toFacts, type Request, type SourceDeps } from './sources.ts'

const compress = promisify(deflateRaw)

/** The file that a run writes. */
export type FileRequest = Request & { name: string; format: ReportFormat }

/** The next `CHUNK_BYTES` of a file, or its rest. */
export type FilePiece = {
  /** Length before the compression. */
  bytes: number
  rows: number
  /** The part of all rows that is written, from 0 to 1. */
  done: number
  isLast: boolean
  /** False when the run is over, or has begun again. */
  isStored: boolean
}

export type WriteDeps = SourceDeps & Pick<Dependencies, 'secrets'>

/** Writes the file of a report. Its rows are read while its pieces are taken; `return` stops it. */
export async function* writeFile(
  deps: WriteDeps,
  principal: Principal,
  request: FileRequest,
  target: FileTarget,
): AsyncGenerator<FilePiece> {
  const table = await openTable(deps, principal, request)
  const facts = toFacts(deps, principal, request)
  const pieces = new Pieces()
  let chunk = 0
  let progress = { rows: 0, done: 0 }
  const store = async (bytes: Uint8Array, isLast: boolean): Promise<FilePiece> => {
    const compressed = await compress(bytes, { level: 1 })
    const isStored = await storePiece(deps, principal, target, chunk++, compressed)
    return { bytes: bytes.length, ...progress, isLast, isStored }
  }
  for await (const { content, rows, done } of FORMATS[request.format].write(table, facts)) {
    progress = { rows: progress.rows + rows, done }
    for (const bytes of pieces.add(content)) yield await store(bytes, false)
    // Requests of the process have their turn between two parts.
    await nextTurn()
  }
  yield await store(pieces.rest(), true)
}

const encoder = new TextEncoder()
/** Bytes of text that are encoded at once. */
const ENCODED_BYTES = 64 * 1024

/**
 * Cuts a file into pieces of `CHUNK_BYTES`. It uses two buffers for all pieces: a new buffer for each part would
 * cause several garbage collections a second.
 */
class Pieces {
  #length = 0
  readonly #piece = Buffer.allocUnsafeSlow(CHUNK_BYTES)
  readonly #encoded = Buffer.allocUnsafeSlow(ENCODED_BYTES)

  rest(): Uint8Array {
    return this.#piece.subarray(0, this.#length)
  }

  /** Full pieces, each valid until the next one is taken. */
  *add(content: string | Uint8Array): Generator<Uint8Array> {
    if (typeof content !== 'string') {
      yield* this.#addBytes(content)
      return
    }
    for (let from = 0; from < content.length;) {
      const { read, written } = encoder.encodeInto(content.slice(from), this.#encoded)
      from += read
      yield* this.#addBytes(this.#encoded.subarray(0, written))
    }
  }

  *#addBytes(bytes: Uint8Array): Generator<Uint8Array> {
    for (let from = 0; from < bytes.length;) {
      const part = bytes.subarray(from, from + CHUNK_BYTES - this.#length)
      this.#piece.set(part, this.#length)
      this.#length += part.length
      from += part.length
      if (this.#length < CHUNK_BYTES) return
      yield this.#piece
      this.#length = 0
    }
  }
}
