import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/**
 * On-disk format of the click journal.
 *
 *   <root>/<boot id>/lock                    held by the process that owns the folder
 *   <root>/<boot id>/000000000001.open       being written
 *   <root>/<boot id>/000000000001.sealed     complete; the unit of exactly-once
 *   <root>/<boot id>/000000000001.rows       the shipper's frozen rows of that segment
 *
 * Sequences begin at 1 and grow; a gap is a segment whose file could not be created. No segment is
 * sealed while a lower one of its journal is open.
 *
 *   segment = header record*
 *   header  = 3 × ("SPJ", u8 version, u32 seed), so that a bitwise vote survives a damaged copy
 *   record  = u32 checksum, u32 length of payload, payload        (little-endian throughout)
 *   payload = u8 flags, u48 time in ms, 5 × u16 length of a field of the request, UTF-8 text
 *   text    = 9 × 2 characters length of a field of the link, those fields, the click id
 *             (26 characters), the fields of the request
 *
 * Lengths are in UTF-16 units. Those of the link are printable, so that the part that all clicks of
 * a link share is one string, encoded once.
 *
 * The checksum is a CRC-32 of length and payload that begins at the segment's random seed, so that
 * bytes that a visitor sends in a header cannot pass for a record.
 */

/** One redirect as the edge saw it, before enrichment. */
export type ClickRecord = {
  /** ULID of the time of the answer. */
  clickId: string
  atMs: number
  workspaceId: string
  linkId: string
  /** Host header in lower case, with its port if it has one. */
  host: string
  /** In its author's spelling. */
  slug: string
  /** The link's destination, before UTM parameters and pass-through. */
  destination: string
  /** utm_source, _medium, _campaign, _term, _content of the Location; '' if absent; at most 255 characters. */
  utm: readonly [string, string, string, string, string]
  /** `qr` if the query of the short URL had `qr=1`. */
  trigger: 'link' | 'qr'
  /** Client address; stored in unshipped segments only. */
  ip: string
  /** At most 512 characters. */
  userAgent: string
  /** Referer header, at most 2,048 characters. */
  referrer: string
  /** Accept-Language header, at most 128 characters. */
  language: string
  /** True when Sec-Purpose, Purpose or X-Moz announces a prefetch or prerender. */
  isPrefetch: boolean
}

export type SegmentState = 'open' | 'sealed' | 'rows'
export type SegmentFile = { sequence: number; state: SegmentState; name: string }

/** Name of the lock file in a journal folder; see storage/lock.ts. */
export const JOURNAL_LOCK = 'lock'
export const HEADER_BYTES = 24

const VERSION = 1
const HEADER_COPY_BYTES = 8
const RECORD_HEAD_BYTES = 8
const CLICK_ID_LENGTH = 26
const LINK_FIELDS = 9
const REQUEST_FIELDS = 5
const PAYLOAD_HEAD_BYTES = 7 + REQUEST_FIELDS * 2
const TEXT_HEAD_BYTES = LINK_FIELDS * 2
const MIN_PAYLOAD_BYTES = PAYLOAD_HEAD_BYTES + TEXT_HEAD_BYTES + CLICK_ID_LENGTH
/** Printable lengths have two digits of this base, beginning with `!`. */
const DIGIT_BASE = 94
const DIGIT_ZERO = 33
/** Longer fields are cut; the edge cuts most of them much shorter. */
const MAX_FIELD_LENGTH = 8_192
const MAX_PAYLOAD_BYTES = MIN_PAYLOAD_BYTES + (LINK_FIELDS + REQUEST_FIELDS) * MAX_FIELD_LENGTH * 3
const FLAG_QR = 1
const FLAG_PREFETCH = 2
const SEGMENT_NAME = /^(\d{12})\.(open|sealed|rows)$/
const BOOT_ID = /^[0-9a-f]{16}$/

/** Name of a journal: random per process start, so that no two journals share a name. */
export function newBootId(): string {
  return randomBytes(8).toString('hex')
}

export function segmentName(sequence: number, state: SegmentState): string {
  return `${String(sequence).padStart(12, '0')}.${state}`
}

/** Segment files of one journal folder, in shipping order; other files are ignored. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const names = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name)).toSorted()
  return names.map((name) => {
    const [, sequence, state] = SEGMENT_NAME.exec(name)!
    return { sequence: Number(sequence), state: state as SegmentState, name }
  })
}

/** Boot ids of the journals under `root`; empty if `root` does not exist. */
export async function listJournals(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory() && BOOT_ID.test(entry.name))
      .map(({ name }) => name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** Random seed for the checksums of a segment. */
export function newSeed(): number {
  return randomBytes(4).readUInt32LE(0)
}

export function encodeHeader(seed: number): Buffer {
  const copy = Buffer.from([0x53, 0x50, 0x4a, VERSION, 0, 0, 0, 0])
  copy.writeUInt32LE(seed, 4)
  return Buffer.concat([copy, copy, copy])
}

export type LinkFields = Pick<
  ClickRecord,
  'workspaceId' | 'linkId' | 'slug' | 'destination' | 'utm'
>

/** The part of a record that all clicks of one redirect share. */
export function encodeLinkPart(link: LinkFields): string {
  const { workspaceId, linkId, slug, destination, utm } = link
  const fields = [workspaceId, linkId, slug, destination, ...utm].map(clip)
  const lengths = fields.map(({ length }) =>
    String.fromCharCode(
      DIGIT_ZERO + Math.floor(length / DIGIT_BASE),
      DIGIT_ZERO + (length % DIGIT_BASE),
    ),
  )
  return lengths.join('') + fields.join('')
}

/**
 * Writes one record at `at` and returns its end, or -1 if `target` might be too small. Lengths
 * precede the text, so that a record takes one concatenation and one write.
 * @param linkPart `encodeLinkPart(click)`, if it is known already
 */
export function encodeRecord(
  target: Buffer,
  at: number,
  seed: number,
  click: ClickRecord,
  linkPart: string = encodeLinkPart(click),
): number {
  const payload = at + RECORD_HEAD_BYTES
  const textAt = payload + PAYLOAD_HEAD_BYTES
  const host = clip(click.host)
  const ip = clip(click.ip)
  const userAgent = clip(click.userAgent)
  const referrer = clip(click.referrer)
  const language = clip(click.language)
  const text = linkPart + click.clickId + host + ip + userAgent + referrer + language
  if (textAt + text.length * 3 > target.length) return -1
  target[payload] = (click.trigger === 'qr' ? FLAG_QR : 0) | (click.isPrefetch ? FLAG_PREFETCH : 0)
  target.writeUIntLE(click.atMs, payload + 1, 6)
  putLength(target, payload + 7, host.length)
  putLength(target, payload + 9, ip.length)
  putLength(target, payload + 11, userAgent.length)
  putLength(target, payload + 13, referrer.length)
  putLength(target, payload + 15, language.length)
  const end = textAt + target.write(text, textAt)
  target.writeUInt32LE(end - payload, at + 4)
  target.writeUInt32LE(crc32(target.subarray(at + 4, end), seed), at)
  return end
}

function putLength(target: Buffer, at: number, length: number): void {
  target[at] = length
  target[at + 1] = length >>> 8
}

function clip(field: string): string {
  return field.length > MAX_FIELD_LENGTH ? field.slice(0, MAX_FIELD_LENGTH) : field
}

/**
 * Seed of a segment's checksums. `short`: less than a header, which a process leaves that died before
 * its first click. `foreign`: not a journal segment, or one of a later version.
 */
export function readSeed(bytes: Buffer): number | 'short' | 'foreign' {
  if (bytes.length < HEADER_BYTES) return 'short'
  const voted = Buffer.alloc(HEADER_COPY_BYTES)
  for (let i = 0; i < HEADER_COPY_BYTES; i++) {
    const [a, b, c] = [bytes[i]!, bytes[i + HEADER_COPY_BYTES]!, bytes[i + 2 * HEADER_COPY_BYTES]!]
    voted[i] = (a & b) | (a & c) | (b & c)
  }
  const isSegment = voted.toString('latin1', 0, 3) === 'SPJ' && voted[3] === VERSION
  return isSegment ? voted.readUInt32LE(4) : 'foreign'
}

/** A whole record, or damage between whole ones (`click` is null); `end` is its end in the segment. */
export type Decoded = { end: number; click: ClickRecord | null }

/**
 * Decodes the records of a segment in order. Never throws, and never yields a click that was not
 * written whole. Damage across several records counts as one. The beginning of a record at the end
 * of the segment yields nothing: its click was never answered.
 */
export function* decodeRecords(bytes: Buffer, seed: number): Generator<Decoded> {
  let start = HEADER_BYTES
  while (start < bytes.length) {
    let end = findRecordEnd(bytes, start, seed)
    const click = end === -1 ? null : readPayload(bytes, start + RECORD_HEAD_BYTES, end)
    if (click === null) end = skipDamage(bytes, start, seed)
    if (end === -1) return
    yield { end, click }
    start = end
  }
}

/** End of the record at `at` by its length field; -1 if that length is impossible. */
function readDeclaredEnd(bytes: Buffer, at: number): number {
  if (at + RECORD_HEAD_BYTES + MIN_PAYLOAD_BYTES > bytes.length) return -1
  const length = bytes.readUInt32LE(at + 4)
  const end = at + RECORD_HEAD_BYTES + length
  return length < MIN_PAYLOAD_BYTES || length > MAX_PAYLOAD_BYTES || end > bytes.length ? -1 : end
}

/** End of the whole record at `at`; -1 if there is none. Cheap tests come before the checksum. */
function findRecordEnd(bytes: Buffer, at: number, seed: number): number {
  const end = readDeclaredEnd(bytes, at)
  if (end === -1) return -1
  const payload = at + RECORD_HEAD_BYTES
  if (bytes[payload]! > (FLAG_QR | FLAG_PREFETCH)) return -1
  const units = countTextUnits(bytes, payload)
  const textBytes = end - payload - PAYLOAD_HEAD_BYTES
  if (units > textBytes || textBytes > units * 3) return -1
  return crc32(bytes.subarray(at + 4, end), seed) === bytes.readUInt32LE(at) ? end : -1
}

/** Length of the record's text: the sum of its length fields. */
function countTextUnits(bytes: Buffer, payload: number): number {
  let units = TEXT_HEAD_BYTES + CLICK_ID_LENGTH
  for (let i = 0; i < REQUEST_FIELDS; i++) units += bytes.readUInt16LE(payload + 7 + i * 2)
  const head = payload + PAYLOAD_HEAD_BYTES
  for (let i = 0; i < LINK_FIELDS; i++) units += readDigits(bytes, head + i * 2)
  return units
}

function readDigits(bytes: Buffer, at: number): number {
  return (bytes[at]! - DIGIT_ZERO) * DIGIT_BASE + bytes[at + 1]! - DIGIT_ZERO
}

/**
 * End of the damage at `at`; -1 if no whole record follows. The length field of a damaged record is
 * trusted if it leads to a whole record or to the end of the file.
 */
function skipDamage(bytes: Buffer, at: number, seed: number): number {
  const declared = readDeclaredEnd(bytes, at)
  const isTrusted = declared === bytes.length || findRecordEnd(bytes, declared, seed) !== -1
  if (declared !== -1 && isTrusted) return declared
  for (let next = at + 1; next < bytes.length; next++)
    if (findRecordEnd(bytes, next, seed) !== -1) return next
  return -1
}

function readPayload(bytes: Buffer, payload: number, end: number): ClickRecord | null {
  const flags = bytes[payload]!
  const head = payload + PAYLOAD_HEAD_BYTES
  const text = bytes.toString('utf8', head, end)
  if (text.length !== countTextUnits(bytes, payload)) return null
  let at = TEXT_HEAD_BYTES
  const take = (length: number): string => text.slice(at, (at += length))
  const takeLinkField = (i: number): string => take(readDigits(bytes, head + i * 2))
  const takeRequestField = (i: number): string => take(bytes.readUInt16LE(payload + 7 + i * 2))
  return {
    workspaceId: takeLinkField(0),
    linkId: takeLinkField(1),
    slug: takeLinkField(2),
    destination: takeLinkField(3),
    utm: [takeLinkField(4), takeLinkField(5), takeLinkField(6), takeLinkField(7), takeLinkField(8)],
    clickId: take(CLICK_ID_LENGTH),
    atMs: bytes.readUIntLE(payload + 1, 6),
    host: takeRequestField(0),
    trigger: (flags & FLAG_QR) === 0 ? 'link' : 'qr',
    ip: takeRequestField(1),
    userAgent: takeRequestField(2),
    referrer: takeRequestField(3),
    language: takeRequestField(4),
    isPrefetch: (flags & FLAG_PREFETCH) !== 0,
  }
}
