import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

/**
 * On-disk format of the click journal, shared by its writer (edge) and its reader (clicks).
 *
 *   <root>/<boot id>/lock                    held by the process that owns the folder
 *   <root>/<boot id>/000000000001.open       being written
 *   <root>/<boot id>/000000000001.sealed     complete; the unit of exactly-once
 *   <root>/<boot id>/000000000001.rows       the shipper's frozen rows of that segment
 *
 * Sequences begin at 1 and grow; a gap means that a segment could not be begun. No segment is
 * sealed while a lower one of its journal is open.
 *
 *   segment = header record*
 *   header  = 3 × ("SPJ", u8 version, u32 seed), so that a bitwise vote survives a damaged copy
 *   record  = u32 checksum, u32 length of payload, payload        (little-endian throughout)
 *   payload = u8 flags, u48 time in ms, 5 × u16 length of a field of the request, UTF-8 text
 *   text    = 9 × 2 characters length of a field of the link, those fields, the click id
 *             (26 characters), the fields of the request
 *
 * Lengths are in UTF-16 units. Those of the link are printable, so that all that a link's clicks
 * have in common is one string, made once.
 *
 * The checksum is a CRC-32 of length and payload that begins at the segment's random seed: bytes
 * that a visitor sent inside a header can never be taken for a record.
 */

/** The raw facts of one answered redirect, as the edge saw them. Nothing here is enriched. */
export type ClickRecord = {
  /** ULID made when the redirect was answered. */
  clickId: string
  atMs: number
  workspaceId: string
  linkId: string
  /** Host the visitor asked for, lower-cased, with the port when there is one. */
  host: string
  /** The slug in its author's spelling. */
  slug: string
  /** The link's destination, before UTM parameters and pass-through. */
  destination: string
  /** utm_source, _medium, _campaign, _term, _content as they were sent in Location; '' when absent. Cut to 255 characters. */
  utm: readonly [string, string, string, string, string]
  /** `link`, or `qr` when the short URL was asked for with `qr=1`. */
  trigger: 'link' | 'qr'
  /** Client address; lives only here, in unshipped segments. */
  ip: string
  /** Cut to 512 characters. */
  userAgent: string
  /** Referer header, cut to 2,048 characters. */
  referrer: string
  /** Accept-Language header, cut to 128 characters. */
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
/** Longer fields are cut; the edge bounds them far below this. */
const MAX_FIELD_LENGTH = 8_192
const MAX_PAYLOAD_BYTES = MIN_PAYLOAD_BYTES + (LINK_FIELDS + REQUEST_FIELDS) * MAX_FIELD_LENGTH * 3
const FLAG_QR = 1
const FLAG_PREFETCH = 2
const SEGMENT_NAME = /^(\d{12})\.(open|sealed|rows)$/
const BOOT_ID = /^[0-9a-f]{16}$/

/** A journal's name: random per process start, so that no two journals ever share one. */
export function newBootId(): string {
  return randomBytes(8).toString('hex')
}

export function segmentName(sequence: number, state: SegmentState): string {
  return `${String(sequence).padStart(12, '0')}.${state}`
}

/** Segments of one journal folder in the order in which they ship; other files are passed over. */
export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const names = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name)).toSorted()
  return names.map((name) => {
    const [, sequence, state] = SEGMENT_NAME.exec(name)!
    return { sequence: Number(sequence), state: state as SegmentState, name }
  })
}

/** Boot ids of the journals under `root`; none when `root` does not exist. */
export async function listJournals(root: string): Promise<string[]> {
  try {
    const entries = await readdir(root, { withFileTypes: true })
    return entries.filter((entry) => entry.isDirectory() && BOOT_ID.test(entry.name)).map(nameOf)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

function nameOf(entry: { name: string }): string {
  return entry.name
}

/** A fresh seed for a segment's checksums. */
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

/** What all clicks of one redirect have in common, as it stands in their records. */
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
 * Writes one record at `at` and returns where it ends, or -1 when `target` might not hold it.
 * Lengths stand before the text, so a record is one string joined and one string written.
 * @param linkPart `encodeLinkPart(click)`, when it was made before
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

export type DecodedSegment = {
  /**
   * `short`: less than a header, as a process leaves it that died before its first click.
   * `foreign`: no journal segment, or one of a later version; nothing in it may be discarded.
   */
  format: 'ok' | 'short' | 'foreign'
  records: ClickRecord[]
  /** Length up to the end of the last whole record: where a leftover is cut before it is sealed. */
  validBytes: number
  /** What follows it: the beginning of a record that was never completed, hence never answered. */
  tornBytes: number
  /** Records lost to damage between whole ones. A run whose borders are lost counts as one. */
  corruptRecords: number
  corruptBytes: number
}

/** Reads a segment at once. Never throws, and never returns a click that was not written whole. */
export function decodeSegment(bytes: Buffer): DecodedSegment {
  const out: DecodedSegment = {
    format: 'ok',
    records: [],
    validBytes: 0,
    tornBytes: 0,
    corruptRecords: 0,
    corruptBytes: 0,
  }
  if (bytes.length < HEADER_BYTES) return { ...out, format: 'short', tornBytes: bytes.length }
  const seed = readHeader(bytes)
  if (seed === null) return { ...out, format: 'foreign' }
  out.validBytes = HEADER_BYTES
  for (const { click, start, end } of walk(bytes, seed)) {
    out.validBytes = end
    if (click !== null) out.records.push(click)
    else {
      out.corruptRecords++
      out.corruptBytes += end - start
    }
  }
  out.tornBytes = bytes.length - out.validBytes
  return out
}

/**
 * The same, one record at a time, for readers that share their thread. `unreadable` stands for a
 * damaged record, or for the whole of a `foreign` segment; a torn tail yields nothing.
 */
export function* readRecords(bytes: Buffer): Generator<ClickRecord | 'unreadable'> {
  if (bytes.length < HEADER_BYTES) return
  const seed = readHeader(bytes)
  if (seed === null) yield 'unreadable'
  else for (const { click } of walk(bytes, seed)) yield click ?? 'unreadable'
}

type Step = { start: number; end: number; click: ClickRecord | null }

function* walk(bytes: Buffer, seed: number): Generator<Step> {
  let start = HEADER_BYTES
  while (start < bytes.length) {
    let end = recordEnd(bytes, start, seed)
    const click = end === -1 ? null : readPayload(bytes, start + RECORD_HEAD_BYTES, end)
    if (click === null) end = skipDamage(bytes, start, seed)
    if (end === -1) return
    yield { start, end, click }
    start = end
  }
}

/** The seed, or null when two of the three copies do not agree on a header of this version. */
function readHeader(bytes: Buffer): number | null {
  const voted = Buffer.alloc(HEADER_COPY_BYTES)
  for (let i = 0; i < HEADER_COPY_BYTES; i++) {
    const [a, b, c] = [bytes[i]!, bytes[i + HEADER_COPY_BYTES]!, bytes[i + 2 * HEADER_COPY_BYTES]!]
    voted[i] = (a & b) | (a & c) | (b & c)
  }
  const isOurs = voted.toString('latin1', 0, 3) === 'SPJ' && voted[3] === VERSION
  return isOurs ? voted.readUInt32LE(4) : null
}

/** Where the record at `at` says it ends, -1 when that cannot be. */
function declaredEnd(bytes: Buffer, at: number): number {
  if (at + RECORD_HEAD_BYTES + MIN_PAYLOAD_BYTES > bytes.length) return -1
  const length = bytes.readUInt32LE(at + 4)
  const end = at + RECORD_HEAD_BYTES + length
  return length < MIN_PAYLOAD_BYTES || length > MAX_PAYLOAD_BYTES || end > bytes.length ? -1 : end
}

/** Where the whole record at `at` ends, -1 when there is none. Cheap tests before the checksum. */
function recordEnd(bytes: Buffer, at: number, seed: number): number {
  const end = declaredEnd(bytes, at)
  if (end === -1) return -1
  const payload = at + RECORD_HEAD_BYTES
  if (bytes[payload]! > (FLAG_QR | FLAG_PREFETCH)) return -1
  const units = textUnits(bytes, payload)
  const textBytes = end - payload - PAYLOAD_HEAD_BYTES
  if (units > textBytes || textBytes > units * 3) return -1
  return crc32(bytes.subarray(at + 4, end), seed) === bytes.readUInt32LE(at) ? end : -1
}

/** Length of the record's text, as its fields' lengths have it. */
function textUnits(bytes: Buffer, payload: number): number {
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
 * Where reading goes on after the damage at `at`; -1 when nothing whole follows. The length of a
 * damaged record is believed when a whole record, or the end of the file, stands where it points.
 */
function skipDamage(bytes: Buffer, at: number, seed: number): number {
  const declared = declaredEnd(bytes, at)
  const isBelieved = declared === bytes.length || recordEnd(bytes, declared, seed) !== -1
  if (declared !== -1 && isBelieved) return declared
  for (let next = at + 1; next < bytes.length; next++)
    if (recordEnd(bytes, next, seed) !== -1) return next
  return -1
}

function readPayload(bytes: Buffer, payload: number, end: number): ClickRecord | null {
  const flags = bytes[payload]!
  const head = payload + PAYLOAD_HEAD_BYTES
  const text = bytes.toString('utf8', head, end)
  if (text.length !== textUnits(bytes, payload)) return null
  let at = TEXT_HEAD_BYTES
  const take = (length: number): string => text.slice(at, (at += length))
  const ofLink = (i: number): string => take(readDigits(bytes, head + i * 2))
  const ofRequest = (i: number): string => take(bytes.readUInt16LE(payload + 7 + i * 2))
  return {
    workspaceId: ofLink(0),
    linkId: ofLink(1),
    slug: ofLink(2),
    destination: ofLink(3),
    utm: [ofLink(4), ofLink(5), ofLink(6), ofLink(7), ofLink(8)],
    clickId: take(CLICK_ID_LENGTH),
    atMs: bytes.readUIntLE(payload + 1, 6),
    host: ofRequest(0),
    trigger: (flags & FLAG_QR) === 0 ? 'link' : 'qr',
    ip: ofRequest(1),
    userAgent: ofRequest(2),
    referrer: ofRequest(3),
    language: ofRequest(4),
    isPrefetch: (flags & FLAG_PREFETCH) !== 0,
  }
}
