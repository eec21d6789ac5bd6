import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Transform, type Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGunzip, createGzip } from 'node:zlib'
import { damaged, type BackupFile, type RowsFile } from './manifest.ts'

const NEWLINE = 10
/** The fastest level, since redirects need the processor. */
const GZIP = { level: constants.Z_BEST_SPEED }

export async function writeFileOf(
  directory: string,
  path: string,
  source: Readable,
): Promise<BackupFile> {
  const written = new Measure()
  await pipeline(source, written, await openFile(directory, path))
  return { path, bytes: written.bytes, sha256: written.digest() }
}

export async function writeRows(
  directory: string,
  path: string,
  source: Readable,
): Promise<RowsFile> {
  const [raw, written] = [new Measure(true), new Measure()]
  await pipeline(source, raw, createGzip(GZIP), written, await openFile(directory, path))
  const { bytes } = written
  return { path, bytes, sha256: written.digest(), rows: raw.lines, rawBytes: raw.bytes }
}

export function readRows(directory: string, { path }: RowsFile): Readable {
  const file = createReadStream(join(directory, path))
  const rows = createGunzip()
  file.once('error', (error) => rows.destroy(error))
  return file.pipe(rows)
}

export async function requireWhole(directory: string, file: BackupFile): Promise<void> {
  const read = new Measure()
  try {
    await pipeline(createReadStream(join(directory, file.path)), read, drain)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
  if (read.bytes !== file.bytes || read.digest() !== file.sha256)
    throw damaged(directory, file.path)
}

async function openFile(directory: string, path: string) {
  const file = join(directory, path)
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  return createWriteStream(file, { mode: 0o600, flags: 'wx', flush: true })
}

async function drain(source: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of source);
}

class Measure extends Transform {
  bytes = 0
  lines = 0
  readonly #countsLines: boolean
  readonly #hash = createHash('sha256')

  constructor(countsLines = false) {
    super()
    this.#countsLines = countsLines
  }

  digest(): string {
    return this.#hash.digest('hex')
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, data: Buffer) => void) {
    this.bytes += chunk.length
    if (this.#countsLines) this.lines += countLines(chunk)
    else this.#hash.update(chunk)
    done(null, chunk)
  }
}

function countLines(chunk: Buffer): number {
  let lines = 0
  for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++
  return lines
}
