import { answerFiles } from '../../platform/work/file-process-child.ts'
import { lowerThreadPriority } from '../../platform/work/priority.ts'
import { fileError, readTable } from './table.ts'
import {
  findExtraCells,
  recognize,
  requireColumns,
  toColumns,
  toDraft,
  toError,
  type Draft,
  type Layout,
  type Mapping,
  type RecognizedColumn,
} from './drafts.ts'
import { detectSource, type SourceName } from './fields.ts'

export type FileRequest = { mapping: Mapping; source: SourceName | null }
export type FileHead = { source: SourceName; layout: Layout; columns: RecognizedColumn[] }

/** A quarter of the processor time of a busy server: enough for the largest file within its deadline. */
const NICENESS = 5
/** Rows per transaction. More would be faster, but would delay the other work of the process for longer. */
const PIECE_ROWS = 50
/** The serving thread parses a whole piece at once. */
const PIECE_CHARS = 128 * 1024
/** The largest body of a request with one link. */
const MAX_DRAFT_CHARS = 256 * 1024

function* readDrafts(
  bytes: Buffer,
  { mapping, source: given }: FileRequest,
): Generator<FileHead | string, void> {
  const table = readTable(bytes)
  if (table.rows.length === 0) throw fileError('The file has no rows below its header.', 'empty')
  const source = given ?? detectSource(table.headers)
  const layout = recognize(table.headers, source, mapping)
  requireColumns(table.headers, source, layout)
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
  const nothing = { input: {}, id: null, folder: null, campaign: null, days: [] }
  return JSON.stringify({ ...draft, ...nothing, errors })
}

lowerThreadPriority(NICENESS)
answerFiles(readDrafts)
