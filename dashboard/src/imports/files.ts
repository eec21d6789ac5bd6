import Papa from 'papaparse'
import { text } from '../text/imports.ts'
import type { LinkImport } from './queries.ts'

const PREVIEW_ROWS = 5

export type Preview = { columns: readonly string[]; rows: readonly (readonly string[])[] }

/** The first rows of a CSV file; the server's dry run decides what they mean. */
export function readPreview(file: File): Promise<Preview> {
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(file, {
      preview: PREVIEW_ROWS + 1,
      skipEmptyLines: 'greedy',
      complete: ({ data: [columns = [], ...rows] }) => resolve({ columns, rows }),
      error: reject,
    })
  })
}

const SAMPLE_COLUMNS = [
  'name',
  'destinationUrl',
  'slug',
  'tags',
  'folder',
  'utmSource',
  'expiresAt',
]

export function downloadSample(): void {
  download('signpost-links.csv', Papa.unparse([SAMPLE_COLUMNS, ...text.imports.sampleRows]))
}

/** The refused rows as a file; cells that a spreadsheet would run as formulas get an apostrophe. */
export function downloadErrors({ id, errors }: LinkImport): void {
  const rows = errors.map(({ row, column, code, message }) => [row, column ?? '', code, message])
  const csv = Papa.unparse([['row', 'column', 'code', 'message'], ...rows], {
    escapeFormulae: true,
  })
  download(`${id}-errors.csv`, csv)
}

function download(name: string, content: string): void {
  // A byte order mark, as spreadsheets expect.
  const url = URL.createObjectURL(new Blob(['\ufeff', content], { type: 'text/csv' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
