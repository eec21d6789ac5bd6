import {
  HEADER_BYTES,
  decodeRecords,
  readSeed,
  type ClickRecord,
} from '../../src/journal/format.ts'

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
  const seed = readSeed(bytes)
  if (seed === 'short') return { ...nothing, format: seed, tornBytes: bytes.length }
  if (seed === 'foreign') return { ...nothing, format: seed }
  const decoded: DecodedSegment = {
    ...nothing,
    format: 'ok',
    records: [],
    validBytes: HEADER_BYTES,
  }
  for (const { end, click } of decodeRecords(bytes, seed)) {
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
