import { crc32, deflateSync } from 'node:zlib'

let serial = 0

/** A PNG of one color that no other image of this process has. */
export function freshImage(size = 2): Buffer {
  serial++
  return pngOf(size, size, [serial & 255, (serial >> 8) & 255, process.pid & 255])
}

/** A PNG of one color. */
export function pngOf(width: number, height: number, color: readonly number[]): Buffer {
  const row = Buffer.concat([Buffer.alloc(1), Buffer.alloc(width * 3, Buffer.from(color))])
  return toPng({ width, height, depth: 8, kind: 2 }, row)
}

/** A black PNG with a bit for each pixel, so that a large one is made in no time. */
export function blackPng(width: number, height: number): Buffer {
  return toPng({ width, height, depth: 1, kind: 0 }, Buffer.alloc(1 + Math.ceil(width / 8)))
}

type PngHeader = { width: number; height: number; depth: number; kind: number }

/** @param row of which the image consists, behind the byte of its filter */
function toPng({ width, height, depth, kind }: PngHeader, row: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([depth, kind, 0, 0, 0], 8)
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A chunk of a PNG: its length, type, data and checksum. */
export function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, checksum])
}
