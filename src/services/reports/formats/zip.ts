import { constants, crc32, deflateRawSync } from 'node:zlib'
import { ApiError } from '../../../base/errors.ts'

/** A file of the archive, whose content is compressed while it is read. */
export type ZipEntry = { name: string; content: AsyncIterable<string> | Iterable<string> }

/** Facts about an entry, for the directory. */
type Written = { name: Buffer; crc: number; compressed: number; size: number; offset: number }

const LOCAL_HEADER = 0x04034b50
const DESCRIPTOR = 0x08074b50
const DIRECTORY_HEADER = 0x02014b50
const DIRECTORY_END = 0x06054b50
/** Version 2.0 of the format. */
const VERSION = 20
/** The sizes follow the content; names are UTF-8. */
const FLAGS = 0x0808
const DEFLATE = 8
/** 1 January 1980, the first date that the format has. */
const NO_DATE = 0x0021
const LEVEL = 3
/** Bytes that are compressed at once. */
const CHUNK_BYTES = 128 * 1024
/** Of an entry, and of the archive, without the extension for larger ones. */
const MAX_BYTES = 0xffff_ffff

/**
 * A ZIP archive (PKWARE APPNOTE 6.3.3), written entry by entry with no more than a few chunks in memory.
 * @throws ApiError PAYLOAD_TOO_LARGE for an entry of 4 GiB
 */
export async function* writeZip(entries: readonly ZipEntry[]): AsyncGenerator<Buffer> {
  const directory: Written[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const written = { name: Buffer.from(name), crc: 0, compressed: 0, size: 0, offset }
    const header = toLocalHeader(written.name)
    yield header
    for await (const chunk of deflate(content, written)) {
      written.compressed += chunk.length
      yield chunk
    }
    const descriptor = toDescriptor(written)
    yield descriptor
    offset += header.length + written.compressed + descriptor.length
    directory.push(written)
  }
  yield toDirectory(directory, offset)
}

/**
 * Compresses on the calling thread, and counts what it reads in `written`. Each chunk is compressed by itself: a flush ends it at
 * a byte and without a last block, so that the chunks one after the other are one stream (RFC 1951).
 */
async function* deflate(content: ZipEntry['content'], written: Written): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let waitingBytes = 0
  for await (const text of content) {
    const bytes = Buffer.from(text)
    written.crc = crc32(bytes, written.crc)
    written.size += bytes.length
    if (written.size > MAX_BYTES)
      throw new ApiError(
        'PAYLOAD_TOO_LARGE',
        'The report is too large for a spreadsheet. Ask for the format csv.',
      )
    waiting.push(bytes)
    waitingBytes += bytes.length
    if (waitingBytes < CHUNK_BYTES) continue
    yield deflateRawSync(Buffer.concat(waiting), {
      level: LEVEL,
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    waiting = []
    waitingBytes = 0
  }
  yield deflateRawSync(Buffer.concat(waiting), { level: LEVEL })
}

function toLocalHeader(name: Buffer): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(LOCAL_HEADER, 0)
  header.writeUInt16LE(VERSION, 4)
  header.writeUInt16LE(FLAGS, 6)
  header.writeUInt16LE(DEFLATE, 8)
  header.writeUInt16LE(NO_DATE, 12)
  header.writeUInt16LE(name.length, 26)
  return Buffer.concat([header, name])
}

function toDescriptor({ crc, compressed, size }: Written): Buffer {
  const descriptor = Buffer.alloc(16)
  descriptor.writeUInt32LE(DESCRIPTOR, 0)
  descriptor.writeUInt32LE(crc, 4)
  descriptor.writeUInt32LE(compressed, 8)
  descriptor.writeUInt32LE(size, 12)
  return descriptor
}

function toDirectory(entries: readonly Written[], offset: number): Buffer {
  const headers = entries.map((entry) => {
    const header = Buffer.alloc(46)
    header.writeUInt32LE(DIRECTORY_HEADER, 0)
    header.writeUInt16LE(VERSION, 4)
    header.writeUInt16LE(VERSION, 6)
    header.writeUInt16LE(FLAGS, 8)
    header.writeUInt16LE(DEFLATE, 10)
    header.writeUInt16LE(NO_DATE, 14)
    header.writeUInt32LE(entry.crc, 16)
    header.writeUInt32LE(entry.compressed, 20)
    header.writeUInt32LE(entry.size, 24)
    header.writeUInt16LE(entry.name.length, 28)
    header.writeUInt32LE(entry.offset, 42)
    return Buffer.concat([header, entry.name])
  })
  const all = Buffer.concat(headers)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(DIRECTORY_END, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(all.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([all, end])
}
