import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'

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
 *   payload = u8 flags, u48 time in ms, 5 × u16 length of a field of the request, country, UTF-8 text
 *   country = 2 × u8, both 0 if no proxy named one
 *   text    = 11 × 2 characters length of a field of the link, those fields, the click id
 *             (26 characters), the fields of the request
 *
 * Lengths are in UTF-16 units. Those of the link are printable, so that the part that all clicks of
 * one route of a link share is one string, encoded once. In it the route `default` is empty.
 *
 * The checksum is a CRC-32 of length and payload that begins at the segment's random seed, so that
 * bytes that a visitor sends in a header cannot pass for a record.
 */

export type ClickRecord = {
  /** ULID of the time of the response. */
  clickId: string
  atMs: number
  workspaceId: string
  linkId: string
  host: string
  /** As its author spelled it. */
  slug: string
  /** The link's destination, before UTM parameters and pass-through. */
  destination: string
  utm: readonly [string, string, string, string, string]
  /** `qr` for a short URL with `qr=1`. */
  trigger: 'link' | 'qr'
  /** Stored in unshipped segments only. */
  ip: string
  /** At most 512 characters. */
  userAgent: string
  /** At most 2,048 characters. */
  referrer: string
  /** Accept-Language, at most 128 characters. */
  language: string
  /** Sec-Purpose, Purpose or X-Moz announced a prefetch or prerender. */
  isPrefetch: boolean
  /** '' for the shared host. */
  domainId: string
  route: string
  /** Named by a trusted proxy: two capitals, `XX` for unknown; '' if none. */
  country: string
  /** A page view, which is stored separately and never counts as a click. */
  isView: boolean
  /** `Sec-GPC: 1`; the workspace decides whether to honor it. */
  hasGpc: boolean
  /** `DNT: 1`, treated like `hasGpc`. */
  hasDnt: boolean
}

export type SegmentState = 'open' | 'sealed' | 'rows'
export type SegmentFile = { sequence: number; state: SegmentState; name: string }

export const JOURNAL_LOCK = 'lock'
export const HEADER_BYTES = 24

export const RECORD_HEAD_BYTES = 8
export const CLICK_ID_LENGTH = 26
export const REQUEST_FIELDS = 5
/** Offset of the lengths of the request's fields in a payload. */
export const LENGTHS_AT = 7
export const COUNTRY_AT = LENGTHS_AT + REQUEST_FIELDS * 2
/** Length of a payload before its text. */
export const HEAD_BYTES = COUNTRY_AT + 2
export const LINK_FIELDS = 11
/** Printable lengths have two digits of this base, starting at `!`. */
export const DIGIT_BASE = 94
export const DIGIT_ZERO = 33
/** Longer fields are cut; the edge cuts most of them much shorter. */
export const MAX_FIELD_LENGTH = 8_192
export const FLAGS = { qr: 1, prefetch: 2, view: 4, gpc: 8, dnt: 16 } as const
export const MAX_FLAGS = 31
export const DEFAULT_ROUTE = 'default'

export const JOURNAL_VERSION = 2

const SEGMENT_NAME = /^(\d{12})\.(open|sealed|rows)$/
const BOOT_ID = /^[0-9a-f]{16}$/

export function newBootId(): string {
  return randomBytes(8).toString('hex')
}

export function segmentName(sequence: number, state: SegmentState): string {
  return `${String(sequence).padStart(12, '0')}.${state}`
}

export async function listSegments(folder: string): Promise<SegmentFile[]> {
  const names = (await readdir(folder)).filter((name) => SEGMENT_NAME.test(name)).toSorted()
  return names.map((name) => {
    const [, sequence, state] = SEGMENT_NAME.exec(name)!
    return { sequence: Number(sequence), state: state as SegmentState, name }
  })
}

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

export function newSeed(): number {
  return randomBytes(4).readUInt32LE(0)
}

export function encodeHeader(seed: number): Buffer {
  const copy = Buffer.from([0x53, 0x50, 0x4a, JOURNAL_VERSION, 0, 0, 0, 0])
  copy.writeUInt32LE(seed, 4)
  return Buffer.concat([copy, copy, copy])
}

export type LinkFields = Pick<
  ClickRecord,
  'workspaceId' | 'linkId' | 'slug' | 'destination' | 'utm' | 'route'
> &
  Partial<Pick<ClickRecord, 'domainId'>>

export function encodeLinkPart(link: LinkFields): string {
  const { workspaceId, linkId, slug, destination, utm, domainId = '' } = link
  const route = link.route === DEFAULT_ROUTE ? '' : link.route
  const fields = [workspaceId, linkId, slug, destination, ...utm, domainId, route].map(clip)
  const lengths = fields.map(({ length }) =>
    String.fromCharCode(
      DIGIT_ZERO + Math.floor(length / DIGIT_BASE),
      DIGIT_ZERO + (length % DIGIT_BASE),
    ),
  )
  return lengths.join('') + fields.join('')
}

/**
 * Writes one record at `at` and returns its end, or -1 if `target` might be too small. Lengths precede the
 * text, so a record takes one concatenation and one write.
 * @param linkPart `encodeLinkPart(click)`, if already known
 */
export function encodeRecord(
  target: Buffer,
  at: number,
  seed: number,
  click: ClickRecord,
  linkPart: string = encodeLinkPart(click),
): number {
  const payload = at + RECORD_HEAD_BYTES
  const textAt = payload + HEAD_BYTES
  const host = clip(click.host)
  const ip = clip(click.ip)
  const userAgent = clip(click.userAgent)
  const referrer = clip(click.referrer)
  const language = clip(click.language)
  const text = linkPart + click.clickId + host + ip + userAgent + referrer + language
  if (textAt + text.length * 3 > target.length) return -1
  target[payload] = toFlags(click)
  target.writeUIntLE(click.atMs, payload + 1, 6)
  putLength(target, payload + LENGTHS_AT, host.length)
  putLength(target, payload + LENGTHS_AT + 2, ip.length)
  putLength(target, payload + LENGTHS_AT + 4, userAgent.length)
  putLength(target, payload + LENGTHS_AT + 6, referrer.length)
  putLength(target, payload + LENGTHS_AT + 8, language.length)
  putCountry(target, payload + COUNTRY_AT, click.country)
  const end = textAt + target.write(text, textAt)
  target.writeUInt32LE(end - payload, at + 4)
  target.writeUInt32LE(crc32(target.subarray(at + 4, end), seed), at)
  return end
}

function toFlags(click: ClickRecord): number {
  return (
    (click.trigger === 'qr' ? FLAGS.qr : 0) |
    (click.isPrefetch ? FLAGS.prefetch : 0) |
    (click.isView ? FLAGS.view : 0) |
    (click.hasGpc ? FLAGS.gpc : 0) |
    (click.hasDnt ? FLAGS.dnt : 0)
  )
}

function putCountry(target: Buffer, at: number, country: string): void {
  const isNamed = country.length === 2
  target[at] = isNamed ? country.charCodeAt(0) : 0
  target[at + 1] = isNamed ? country.charCodeAt(1) : 0
}

function putLength(target: Buffer, at: number, length: number): void {
  target[at] = length
  target[at + 1] = length >>> 8
}

function clip(field: string): string {
  return field.length > MAX_FIELD_LENGTH ? field.slice(0, MAX_FIELD_LENGTH) : field
}

export function toJournalDir({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'journal')
}
