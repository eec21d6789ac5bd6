import { inflateSync } from 'node:zlib'

export const IMAGE_TYPES = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
] as const
export type ImageType = (typeof IMAGE_TYPES)[number]

/** For the logo of a QR code, since a small file may unpack to any number of pixels. */
export const MAX_LOGO_PIXELS = 8_000_000

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')
const AVIF_BRANDS = ['avif', 'avis']

export function typeOf(bytes: Buffer): ImageType | null {
  if (bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return 'image/png'
  if (bytes.length > 2 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg'
  if (/^GIF8[79]a/.test(ascii(bytes, 0, 6))) return 'image/gif'
  if (ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP') return 'image/webp'
  if (ascii(bytes, 4, 8) === 'ftyp' && AVIF_BRANDS.includes(ascii(bytes, 8, 12)))
    return 'image/avif'
  return null
}

/** The structure only; damaged pixels show when they are decoded. Returns the end of "The file …"; null if sound. */
export function findFault(bytes: Buffer, type: ImageType): string | null {
  const end = ENDS[type](bytes)
  if (end === null) return 'ends before its image does'
  if (end < bytes.length && !(type === 'image/jpeg' && holdsMoreJpegs(bytes, end)))
    return 'holds other data after its image; save it again as a plain image'
  if (type === 'image/png' && hasLargeTexts(bytes))
    return 'holds compressed texts or a color profile that are damaged or too large; save it again without metadata'
  return holdsMarkup(bytes) ? 'holds a web page or a script; save it again without metadata' : null
}

const ENDS: Record<ImageType, (bytes: Buffer) => number | null> = {
  'image/png': endOfPng,
  'image/jpeg': (bytes) => endOfJpeg(bytes, 0),
  'image/gif': endOfGif,
  'image/webp': endOfWebp,
  'image/avif': endOfAvif,
}

type Chunk = { type: string; from: number; to: number }

/** Chunks of a length, a type, data and a checksum (PNG, 5.3); the last one may end behind the file. */
function* chunksOf(bytes: Buffer): Generator<Chunk> {
  let at = PNG_SIGNATURE.length
  while (at + 12 <= bytes.length) {
    const [from, type] = [at + 8, ascii(bytes, at + 4, at + 8)]
    const to = from + bytes.readUInt32BE(at)
    yield { type, from, to }
    at = to + 4
  }
}

function endOfPng(bytes: Buffer): number | null {
  for (const { type, to } of chunksOf(bytes))
    if (type === 'IEND') return to + 4 <= bytes.length ? to + 4 : null
  return null
}

/** Null-terminated strings before the compressed data, and bytes after the first of them (PNG, 11.3). */
const COMPRESSED: Readonly<Record<string, { strings: number; flags: number }>> = {
  iCCP: { strings: 1, flags: 1 },
  zTXt: { strings: 1, flags: 1 },
  iTXt: { strings: 3, flags: 2 },
}
const MAX_TEXTS = 100
/** More than color profiles and histories of editors have. */
const MAX_INFLATED_BYTES = 4 * 1024 * 1024

/** The decoder inflates every text before the first pixel: a megabyte of chunks takes it a second. */
function hasLargeTexts(bytes: Buffer): boolean {
  let [texts, left] = [0, MAX_INFLATED_BYTES]
  for (const { type, from, to } of chunksOf(bytes)) {
    const data = findCompressed(bytes.subarray(from, to), type)
    if (data === null) continue
    if (++texts > MAX_TEXTS) return true
    try {
      left -= inflateSync(data, { maxOutputLength: left }).length
    } catch {
      return true
    }
    if (left <= 0) return true
  }
  return false
}

function findCompressed(chunk: Buffer, type: string): Buffer | null {
  const format = COMPRESSED[type]
  if (!format) return null
  const { strings, flags } = format
  let at = chunk.indexOf(0) + 1
  if (type === 'iTXt' && chunk[at] === 0) return null
  at += flags
  for (let i = 1; i < strings; i++) at = chunk.indexOf(0, at) + 1
  return chunk.subarray(at)
}

const START_OF_IMAGE = 0xd8
const END_OF_IMAGE = 0xd9
const START_OF_SCAN = 0xda
const FIRST_RESTART = 0xd0
const LAST_RESTART = 0xd7

/** Segments with a length, and scans without one, up to EOI (ITU-T T.81, annex B). */
function endOfJpeg(bytes: Buffer, start: number): number | null {
  let at = start + 2
  while (at + 1 < bytes.length) {
    if (bytes[at] !== 0xff) return null
    const marker = bytes[at + 1]!
    if (marker === 0xff) at++
    else if (marker === END_OF_IMAGE) return at + 2
    else if (marker === START_OF_IMAGE || marker === 0) return null
    else if (at + 4 > bytes.length) return null
    else {
      at += 2 + bytes.readUInt16BE(at + 2)
      if (marker === START_OF_SCAN) at = endOfScan(bytes, at)
    }
  }
  return null
}

/** Position of the next marker: within a scan 0xff is followed by 0 or by a restart marker. */
function endOfScan(bytes: Buffer, start: number): number {
  let at = start
  for (; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1]!
    if (next !== 0 && (next < FIRST_RESTART || next > LAST_RESTART)) return at
  }
  return bytes.length
}

/** Phones append a second image: a brightness map, or the other view of a pair. */
function holdsMoreJpegs(bytes: Buffer, start: number): boolean {
  let at = start
  while (at < bytes.length) {
    if (at + 3 > bytes.length || bytes.readUIntBE(at, 3) !== 0xffd8ff) return false
    const end = endOfJpeg(bytes, at)
    if (end === null) return false
    at = end
  }
  return true
}

const GIF_EXTENSION = 0x21
const GIF_IMAGE = 0x2c
const GIF_TRAILER = 0x3b

/** Blocks up to the trailer (GIF89a, 17 to 27). */
function endOfGif(bytes: Buffer): number | null {
  if (bytes.length < 13) return null
  let at: number | null = 13 + sizeOfColors(bytes[10]!)
  while (at !== null && at < bytes.length) {
    const kind: number = bytes[at]!
    if (kind === GIF_TRAILER) return at + 1
    if (kind === GIF_EXTENSION) at = endOfBlocks(bytes, at + 2)
    else if (kind !== GIF_IMAGE || at + 10 > bytes.length) return null
    // The byte after the local colors is the size of the first code.
    else at = endOfBlocks(bytes, at + 11 + sizeOfColors(bytes[at + 9]!))
  }
  return null
}

function sizeOfColors(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0
}

/** Position after blocks that begin with their length; the last has the length 0. */
function endOfBlocks(bytes: Buffer, start: number): number | null {
  let at = start
  while (at < bytes.length) {
    const length = bytes[at]!
    at += 1 + length
    if (length === 0) return at
  }
  return null
}

/** The size is in the header (WebP container specification, RIFF file format). */
function endOfWebp(bytes: Buffer): number | null {
  if (bytes.length < 12) return null
  const end = 8 + bytes.readUInt32LE(4)
  return end <= bytes.length ? end : null
}

const AVIF_BOXES = new Set('ftyp meta mdat moov free skip idat pdin styp sidx uuid wide'.split(' '))

/** Boxes with their lengths, up to the end of the file (ISO/IEC 14496-12, 4.2). */
function endOfAvif(bytes: Buffer): number | null {
  let at = 0
  while (at < bytes.length) {
    if (at + 8 > bytes.length) return at
    if (!AVIF_BOXES.has(ascii(bytes, at + 4, at + 8))) return at
    const length = bytes.readUInt32BE(at)
    // A length of 0 means up to the end; one of 1 means 64 bits of it, which no file of this size needs.
    if (length === 0) return bytes.length
    if (length < 8) return null
    at += length
  }
  return at === bytes.length ? at : null
}

const LESS_THAN = 0x3c
/** Markup with text after it: compressed pixels contain each short word by chance. */
const MARKUP =
  /^<(?:!doctype|script|iframe|object|embed|style|\?php|(?:html|head|body|svg|img)[\s>/])[\s\x20-\x7e]{8}/i
const MARKUP_CHARS = 20

/** Checks each `<`, since a regular expression over the whole file takes several times as long. */
function holdsMarkup(bytes: Buffer): boolean {
  for (let at = bytes.indexOf(LESS_THAN); at !== -1; at = bytes.indexOf(LESS_THAN, at + 1))
    if (FIRST_CHARS.has(bytes[at + 1]!) && MARKUP.test(ascii(bytes, at, at + MARKUP_CHARS)))
      return true
  return false
}

const FIRST_CHARS = new Set(Buffer.from('!?sSiIoOeEhHbB'))

function ascii(bytes: Buffer, from: number, to: number): string {
  return bytes.toString('latin1', from, to)
}
