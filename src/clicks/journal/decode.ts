import { crc32 } from 'node:zlib'
import {
  CLICK_ID_LENGTH,
  COUNTRY_AT,
  DEFAULT_ROUTE,
  DIGIT_BASE,
  DIGIT_ZERO,
  FLAGS,
  HEAD_BYTES,
  HEADER_BYTES,
  JOURNAL_VERSION,
  LENGTHS_AT,
  LINK_FIELDS,
  MAX_FIELD_LENGTH,
  MAX_FLAGS,
  RECORD_HEAD_BYTES,
  REQUEST_FIELDS,
  type ClickRecord,
} from './format.ts'

export type SegmentHeader = { readonly seed: number }

export type Decoded = { end: number; click: ClickRecord | null }

type Segment = { readonly bytes: Buffer; readonly seed: number }

const HEADER_COPY_BYTES = HEADER_BYTES / 3
const LEAST_BYTES = HEAD_BYTES + LINK_FIELDS * 2 + CLICK_ID_LENGTH
const MOST_BYTES = LEAST_BYTES + (LINK_FIELDS + REQUEST_FIELDS) * MAX_FIELD_LENGTH * 3

/** `short`: left by a process that died before its first click. `foreign`: no segment, or of another version. */
export function readHeader(bytes: Buffer): SegmentHeader | 'short' | 'foreign' {
  if (bytes.length < HEADER_BYTES) return 'short'
  const voted = Buffer.alloc(HEADER_COPY_BYTES)
  for (let i = 0; i < HEADER_COPY_BYTES; i++) {
    const [a, b, c] = [bytes[i]!, bytes[i + HEADER_COPY_BYTES]!, bytes[i + 2 * HEADER_COPY_BYTES]!]
    voted[i] = (a & b) | (a & c) | (b & c)
  }
  if (voted.toString('latin1', 0, 3) !== 'SPJ' || voted[3] !== JOURNAL_VERSION) return 'foreign'
  return { seed: voted.readUInt32LE(4) }
}

/**
 * Decodes the records of a segment in order. Never throws, and never yields a click that was not written
 * whole. Damage across several records counts once. A record cut off at the end yields nothing: its click
 * was never answered.
 */
export function* decodeRecords(bytes: Buffer, { seed }: SegmentHeader): Generator<Decoded> {
  const segment = { bytes, seed }
  let start = HEADER_BYTES
  while (start < bytes.length) {
    let end = findRecordEnd(segment, start)
    const click = end === -1 ? null : readPayload(segment, start + RECORD_HEAD_BYTES, end)
    if (click === null) end = skipDamage(segment, start)
    if (end === -1) return
    yield { end, click }
    start = end
  }
}

/** End of the record at `at` by its length field; -1 if that length is impossible. */
function readDeclaredEnd({ bytes }: Segment, at: number): number {
  if (at + RECORD_HEAD_BYTES + LEAST_BYTES > bytes.length) return -1
  const length = bytes.readUInt32LE(at + 4)
  const end = at + RECORD_HEAD_BYTES + length
  return length < LEAST_BYTES || length > MOST_BYTES || end > bytes.length ? -1 : end
}

/** End of the whole record at `at`, or -1. Cheap tests come before the checksum. */
function findRecordEnd(segment: Segment, at: number): number {
  const { bytes, seed } = segment
  const end = readDeclaredEnd(segment, at)
  if (end === -1) return -1
  const payload = at + RECORD_HEAD_BYTES
  if (bytes[payload]! > MAX_FLAGS) return -1
  const units = countTextUnits(bytes, payload)
  const textBytes = end - payload - HEAD_BYTES
  if (units > textBytes || textBytes > units * 3) return -1
  return crc32(bytes.subarray(at + 4, end), seed) === bytes.readUInt32LE(at) ? end : -1
}

function countTextUnits(bytes: Buffer, payload: number): number {
  let units = LINK_FIELDS * 2 + CLICK_ID_LENGTH
  for (let i = 0; i < REQUEST_FIELDS; i++) units += readRequestLength(bytes, payload, i)
  const head = payload + HEAD_BYTES
  for (let i = 0; i < LINK_FIELDS; i++) units += readDigits(bytes, head + i * 2)
  return units
}

function readRequestLength(bytes: Buffer, payload: number, field: number): number {
  return bytes.readUInt16LE(payload + LENGTHS_AT + field * 2)
}

function readDigits(bytes: Buffer, at: number): number {
  return (bytes[at]! - DIGIT_ZERO) * DIGIT_BASE + bytes[at + 1]! - DIGIT_ZERO
}

/** Trusts the length field of a damaged record if it leads to a whole record or to the end of the file. */
function skipDamage(segment: Segment, at: number): number {
  const { bytes } = segment
  const declared = readDeclaredEnd(segment, at)
  const isTrusted = declared === bytes.length || findRecordEnd(segment, declared) !== -1
  if (declared !== -1 && isTrusted) return declared
  for (let next = at + 1; next < bytes.length; next++)
    if (findRecordEnd(segment, next) !== -1) return next
  return -1
}

function readPayload({ bytes }: Segment, payload: number, end: number): ClickRecord | null {
  const flags = bytes[payload]!
  const head = payload + HEAD_BYTES
  const text = bytes.toString('utf8', head, end)
  if (text.length !== countTextUnits(bytes, payload)) return null
  let at = LINK_FIELDS * 2
  const take = (length: number): string => text.slice(at, (at += length))
  const takeLinkField = (i: number): string => take(readDigits(bytes, head + i * 2))
  const takeRequestField = (i: number): string => take(readRequestLength(bytes, payload, i))
  return {
    workspaceId: takeLinkField(0),
    linkId: takeLinkField(1),
    slug: takeLinkField(2),
    destination: takeLinkField(3),
    utm: [takeLinkField(4), takeLinkField(5), takeLinkField(6), takeLinkField(7), takeLinkField(8)],
    domainId: takeLinkField(9),
    route: takeLinkField(10) || DEFAULT_ROUTE,
    clickId: take(CLICK_ID_LENGTH),
    atMs: bytes.readUIntLE(payload + 1, 6),
    host: takeRequestField(0),
    trigger: (flags & FLAGS.qr) === 0 ? 'link' : 'qr',
    ip: takeRequestField(1),
    userAgent: takeRequestField(2),
    referrer: takeRequestField(3),
    language: takeRequestField(4),
    country: readCountry(bytes, payload),
    isPrefetch: (flags & FLAGS.prefetch) !== 0,
    isView: (flags & FLAGS.view) !== 0,
    hasGpc: (flags & FLAGS.gpc) !== 0,
    hasDnt: (flags & FLAGS.dnt) !== 0,
  }
}

function readCountry(bytes: Buffer, payload: number): string {
  const at = payload + COUNTRY_AT
  if (bytes[at] === 0) return ''
  return String.fromCharCode(bytes[at]!, bytes[at + 1]!)
}
