import { SIZES } from '../../platform/limits/sizes.ts'
import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { idParams, Paged, PageMeta } from '../../platform/resources/shapes.ts'
import { UndoMeta, UndoRow } from '../write/bulk-schema.ts'
import type { Imports } from './imports.ts'
import {
  ColumnsInput,
  ImportOptions,
  ImportRow,
  LinkImport,
  ListImportRows,
  RecognizedColumns,
  ShlinkImport,
} from './schema.ts'

const Params = idParams('imp', 'import')
const { reads, writes } = scopedTo('links', 'Links')
const MAX_FILE_BYTES = SIZES.importFile.bytes
const TIMEOUT_MS = TIMES.fileRequest.ms
/** Types that browsers and shells give to CSV files, and JSON for the exports of YOURLS and Kutt. */
const FILE_TYPES = ['text/csv', 'application/csv', 'text/plain', 'application/json'] as const

export const importRoutes = (imports: Imports) => [
  ...fileRoutes(imports),
  ...readingRoutes(imports),
  ...endingRoutes(imports),
]

const fileRoutes = (imports: Imports) => [
  route('POST /links/import', {
    ...writes,
    accepts: { raw: FILE_TYPES, multipart: true },
    limits: { bodyBytes: MAX_FILE_BYTES, timeoutMs: TIMEOUT_MS },
    status: 202,
    idempotent: true,
    name: 'importLinks',
    summary: 'Import links from a file',
    description:
      'Takes a CSV file of at most 10 MiB and 10,000 rows, or an export of another service, and creates its links in the background. Each row fails alone. A workspace has one import at a time.',
    errors: ['CONFLICT', 'PAYLOAD_TOO_LARGE'],
    shapes: { query: ImportOptions, fields: ImportOptions, reply: LinkImport },
    handle: (principal, { query, body }, signal) =>
      imports.start(principal, { ...query, ...body.fields }, body.bytes, signal),
  }),
  route('POST /links/import/shlink', {
    ...writes,
    limits: { timeoutMs: TIMEOUT_MS },
    status: 202,
    idempotent: true,
    name: 'importFromShlink',
    summary: 'Import links from a Shlink server',
    description:
      'Reads the links of a Shlink server from its API in the background, 100,000 at most, with redirect rules and visits by day, and creates them as an import of a file does. A dry run reads no visits.',
    errors: ['CONFLICT'],
    shapes: { body: ShlinkImport, reply: LinkImport },
    handle: (principal, { body }) => imports.startShlink(principal, body),
  }),
  route('POST /links/import/columns', {
    ...reads,
    name: 'recognizeImportColumns',
    summary: 'Recognize the columns of a file',
    description:
      'Returns the field of a link for each column of a file with this first row, as an import would read it.',
    shapes: { body: ColumnsInput, reply: RecognizedColumns },
    handle: async (_who, { body }) => imports.recognizeColumns(body),
  }),
]

const readingRoutes = (imports: Imports) => [
  route('GET /links/imports', {
    ...reads,
    name: 'listImports',
    summary: 'List imports',
    description: 'Pages through the imports of the last 30 days, newest first.',
    shapes: { query: Paged, reply: Type.Array(LinkImport), meta: PageMeta },
    handle: (principal, { query }) => imports.list(principal, query),
  }),
  route('GET /links/imports/:id', {
    ...reads,
    name: 'getImport',
    summary: 'Read an import',
    description: 'Returns the state of an import, with the errors of refused rows.',
    shapes: { params: Params, reply: LinkImport },
    find: imports.find,
    handle: (principal, { params }) => imports.get(principal, params.id),
  }),
  route('GET /links/imports/:id/rows', {
    ...reads,
    name: 'listImportRows',
    summary: 'List the rows of an import',
    description:
      'Pages through the rows of the newest import of the workspace, with their short URLs, or those that they would get in a dry run. Rows of earlier imports are not kept.',
    shapes: {
      params: Params,
      query: ListImportRows,
      reply: Type.Array(ImportRow),
      meta: PageMeta,
    },
    find: imports.find,
    handle: (principal, { params, query }) => imports.rows(principal, params.id, query),
  }),
]

const endingRoutes = (imports: Imports) => [
  route('POST /links/imports/:id/cancel', {
    ...writes,
    idempotent: true,
    name: 'cancelImport',
    summary: 'Cancel an import',
    description: 'Stops an import. Links that it has already created stay.',
    errors: ['CONFLICT'],
    shapes: { params: Params, reply: LinkImport },
    find: imports.find,
    handle: (principal, { params }) => imports.cancel(principal, params.id),
  }),
  route('POST /links/imports/:id/undo', {
    ...writes,
    idempotent: true,
    name: 'undoImport',
    summary: 'Undo an import',
    description:
      'Works once, within an hour: deletes the links that a finished or canceled import created, and restores those that it changed. Skips links that were changed since, and new ones with clicks.',
    errors: ['CONFLICT'],
    limits: { timeoutMs: TIMEOUT_MS },
    shapes: { params: Params, reply: Type.Array(UndoRow), meta: UndoMeta },
    find: imports.find,
    handle: (principal, { params }) => imports.undo(principal, params.id),
  }),
]
