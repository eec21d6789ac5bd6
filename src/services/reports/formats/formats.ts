import type { ReportFormat } from '../schema.ts'
import { writeCsv } from './csv.ts'
import type { Write } from './table.ts'

/** Each format: its media type, and what writes it. */
export const FORMATS = {
  csv: { contentType: 'text/csv; charset=utf-8', write: writeCsv },
} as const satisfies Record<ReportFormat, { contentType: string; write: Write }>
