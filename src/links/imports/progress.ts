import type { RowError } from './drafts.ts'
import type { UnknownDomain } from './hosts.ts'
import type { RecognizedColumn } from './layout.ts'
import type { SourceName } from './sources.ts'
import { MAX_ERRORS, type ImportRow } from './schema.ts'

/** The kind of the jobs. */
export const IMPORT_KIND = 'links.import'

export type ImportInput = {
  source: SourceName
  dryRun: boolean
  onConflict: 'skip' | 'update'
  /** The imported columns, which the errors of rows name. */
  headers: { header: string; field: string }[]
  /** Every column of the file; absent in imports of earlier versions. */
  columns?: RecognizedColumn[]
  domain?: string | null
  unknownDomains?: UnknownDomain[]
}

/** The state of the job. */
export type Progress = {
  /** Finished chunks. */
  chunks: number
  total: number
  processed: number
  created: number
  updated: number
  skipped: number
  failed: number
  errors: RowError[]
}

export function newProgress(total: number): Progress {
  const counts = { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
  return { chunks: 0, total, ...counts, errors: [] }
}

export type RowResult = { shown: ImportRow } & (
  | { status: 'created' | 'updated' | 'skipped' }
  | { status: 'failed'; errors: readonly RowError[] }
)

export function addResults(before: Progress, results: readonly RowResult[]): Progress {
  const count = (status: RowResult['status']) =>
    results.filter((result) => result.status === status).length
  const errors = results.flatMap((result) => (result.status === 'failed' ? result.errors : []))
  return {
    chunks: before.chunks + 1,
    total: before.total,
    processed: before.processed + results.length,
    created: before.created + count('created'),
    updated: before.updated + count('updated'),
    skipped: before.skipped + count('skipped'),
    failed: before.failed + count('failed'),
    errors: [...before.errors, ...errors].slice(0, MAX_ERRORS),
  }
}
