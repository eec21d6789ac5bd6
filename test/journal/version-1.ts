import { crc32 } from 'node:zlib'
import type { ClickRecord } from '../../src/journal/format.ts'

/** The fields of a record of version 1. */
export type FormerClick = Pick<
  ClickRecord,
  | 'clickId'
  | 'atMs'
  | 'workspaceId'
  | 'linkId'
  | 'host'
  | 'slug'
  | 'destination'
  | 'utm'
  | 'trigger'
  | 'ip'
  | 'userAgent'
  | 'referrer'
  | 'language'
  | 'isPrefetch'
>

/** The same click as a program of version 2 reads it. */
export function asRead(click: FormerClick): ClickRecord {
  const { clickId, atMs, workspaceId, linkId, host, slug, destination, utm, trigger } = click
  const { ip, userAgent, referrer, language, isPrefetch } = click
  return {
    ...{ clickId, atMs, workspaceId, linkId, host, slug, destination, utm, trigger },
    ...{ ip, userAgent, referrer, language, isPrefetch },
    ...{ domainId: '', route: 'default', country: '' },
    ...{ isView: false, hasGpc: false, hasDnt: false },
  }
}

/** A segment as programs wrote it that knew version 1 alone: their encoder, kept unchanged in its bytes. */
export function encodeFormerSegment(clicks: readonly FormerClick[], seed: number): Buffer {
  const copy = Buffer.from([0x53, 0x50, 0x4a, 1, 0, 0, 0, 0])
  copy.writeUInt32LE(seed, 4)
  return Buffer.concat([copy, copy, copy, ...clicks.map((click) => encodeRecord(click, seed))])
}

function encodeRecord(click: FormerClick, seed: number): Buffer {
  const { workspaceId, linkId, slug, destination, utm } = click
  const ofLink = [workspaceId, linkId, slug, destination, ...utm]
  const digits = ofLink.map(({ length }) =>
    String.fromCharCode(33 + Math.floor(length / 94), 33 + (length % 94)),
  )
  const ofRequest = [click.host, click.ip, click.userAgent, click.referrer, click.language]
  const text = [...digits, ...ofLink, click.clickId, ...ofRequest].join('')
  const head = Buffer.alloc(17)
  head[0] = (click.trigger === 'qr' ? 1 : 0) | (click.isPrefetch ? 2 : 0)
  head.writeUIntLE(click.atMs, 1, 6)
  for (const [i, field] of ofRequest.entries()) head.writeUInt16LE(field.length, 7 + i * 2)
  const payload = Buffer.concat([head, Buffer.from(text)])
  const record = Buffer.alloc(8 + payload.length)
  record.writeUInt32LE(payload.length, 4)
  payload.copy(record, 8)
  record.writeUInt32LE(crc32(record.subarray(4), seed), 0)
  return record
}
