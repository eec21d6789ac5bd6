import { findExtraCells, toDraft, toError, type Draft } from './drafts.ts'
import { refused } from './file-refusals.ts'
import { toColumns, toLayout, type Layout, type Mapping, type RecognizedColumn } from './layout.ts'
import { detectSource, type SourceName } from './sources.ts'
import { readTable } from './table.ts'

export type AskedFile = { mapping: Mapping; source: SourceName | null }
export type FileHead = { source: SourceName; layout: Layout; columns: RecognizedColumn[] }

/** Rows of one transaction. More are faster, and redirects of the same process wait longer for each piece. */
const PIECE_ROWS = 50
/** Of a piece, which the serving thread parses at once. */
const PIECE_CHARS = 128 * 1024
/** No link has so much: a request with one has at most as many bytes. */
const MAX_DRAFT_CHARS = 256 * 1024

/**
 * Reads a file into drafts of links: first its head, then pieces of its rows, as JSON texts.
 * @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE for a file that is refused as a whole
 */
export function* readDrafts(
  bytes: Buffer,
  { mapping, source: given }: AskedFile,
): Generator<FileHead | string, void> {
  const table = readTable(bytes)
  if (table.rows.length === 0) throw refused('The file has no rows below its header.', 'empty')
  const source = given ?? detectSource(table.headers)
  const layout = toLayout(table.headers, source, mapping)
  yield { source, layout, columns: toColumns(table.headers, layout) }
  let piece: string[] = []
  let chars = 0
  for (const row of table.rows) {
    const draft = toDraft(layout, source, row)
    const extra = findExtraCells(table.headers, row)
    if (extra) draft.errors = [extra]
    const text = toText(draft)
    if (piece.length === PIECE_ROWS || (piece.length > 0 && chars + text.length > PIECE_CHARS)) {
      yield `[${piece.join(',')}]`
      piece = []
      chars = 0
    }
    piece.push(text)
    chars += text.length
  }
  yield `[${piece.join(',')}]`
}

function toText(draft: Draft): string {
  const text = JSON.stringify(draft)
  if (text.length <= MAX_DRAFT_CHARS) return text
  const { row } = draft
  const errors = [toError(row, null, 'The row is larger than a link can be: 256 KiB.')]
  return JSON.stringify({ ...draft, input: {}, id: null, folder: null, campaign: null, errors })
}
