import type { ReportFormat } from '../schema.ts'
import { writeCsv } from './csv.ts'
import { writeJson } from './json.ts'
import { writePdf } from './pdf.ts'
import { withReadableChange, type Write } from './table.ts'
import { writeXlsx } from './xlsx.ts'

const readable =
  (write: Write): Write =>
  (table, facts) =>
    write(withReadableChange(table), facts)

/** Each format: its media type, and what writes it. */
export const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', write: readable(writeCsv) },
  json: { contentType: 'application/json', write: writeJson },
  xlsx: {
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    write: readable(writeXlsx),
  },
  pdf: { contentType: 'application/pdf', write: readable(writePdf) },
} as const satisfies Record<ReportFormat, { contentType: string; write: Write }>
