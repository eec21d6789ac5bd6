import type { RowError } from './drafts.ts'
import type { UnknownDomain } from './hosts.ts'
import type { RecognizedColumn } from './layout.ts'
import type { SourceName } from './sources.ts'
import { MAX_ERRORS, type ImportRow } from './schema.ts'

/** The kind of jobs that are imports. */
export const IMPORT_KIND = 'links.import'

export type ImportInput = {
  source: SourceName
  dryRun: boolean
  onConflict: 'skip' | 'update'
  /** The columns that are imported, for the errors of rows. */
  headers: { header: string; field: string }[]
  /** Every column of the file; absent in an import of an earlier version. */
  columns?: RecognizedColumn[]
  /** The option of this name. */
  domain?: string | null
  unknownDomains?: UnknownDomain[]
}

/** Saved with each piece. */
export type Progress = {
  /** Chunks that are finished. */
  chunks: number
  total: number
  processed: number
  created: number
  updated: number
  skipped: number
  failed: number
  errors: RowError[]
}

export function startOf(total: number): Progress {
  return {
    ...{ chunks: 0, total, processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 },
    errors: [],
  }
}

/** Outcome of a row. */
export type RowResult = { shown: ImportRow } & (
  | { status: 'created' | 'updated' | 'skipped' }
  | { status: 'failed'; errors: readonly RowError[] }
)

/** The progress after a chunk. */
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
