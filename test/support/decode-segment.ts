import { decodeRecords, readHeader } from '../../src/clicks/journal/decode.ts'
import { HEADER_BYTES, type ClickRecord } from '../../src/clicks/journal/format.ts'

export type DecodedSegment = {
  format: 'ok' | 'short' | 'foreign'
  records: ClickRecord[]
  /** Length up to the end of the last whole record. */
  validBytes: number
  tornBytes: number
  corruptRecords: number
  corruptBytes: number
}

/** A segment decoded at once, as a reference for the reader and an account of every byte. */
export function decodeSegment(bytes: Buffer): DecodedSegment {
  const nothing = { records: [], validBytes: 0, tornBytes: 0, corruptRecords: 0, corruptBytes: 0 }
  const header = readHeader(bytes)
  if (header === 'short') return { ...nothing, format: header, tornBytes: bytes.length }
  if (header === 'foreign') return { ...nothing, format: header }
  const decoded: DecodedSegment = {
    ...nothing,
    format: 'ok',
    records: [],
    validBytes: HEADER_BYTES,
  }
  for (const { end, click } of decodeRecords(bytes, header)) {
    if (click !== null) decoded.records.push(click)
    else {
      decoded.corruptRecords++
      decoded.corruptBytes += end - decoded.validBytes
    }
    decoded.validBytes = end
  }
  decoded.tornBytes = bytes.length - decoded.validBytes
  return decoded
}
