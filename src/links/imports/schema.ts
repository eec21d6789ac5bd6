import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  flag,
  idShape,
  integer,
  nullable,
  oneOf,
  PageQuery,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { FIELD_NAMES, SOURCE_NAMES, type Field } from './fields.ts'

export const MAX_ERRORS = 100
const STATUSES = ['pending', 'processing', 'completed', 'failed', 'canceled'] as const
const POLICIES = ['skip', 'update'] as const

const source = oneOf(
  SOURCE_NAMES,
  'Service that wrote the file. Absent: recognized by its columns.',
  'bitly',
)
const dryRun = 'Whether to check and count everything, but write nothing.'
const onConflict = oneOf(
  POLICIES,
  'What happens to a link with the same externalId, else slug, else id. The default is `skip`.',
  'update',
)
const mapping = text(
  'JSON object: the field of a link for a column of the file; null leaves a column out.',
  '{"Target":"destinationUrl","Label":"name"}',
  { maxLength: 16_384 },
)

const domain = text(
  'Host of a domain of the workspace, or of the shared host, on which all links of the file are created; `default`: the default domain. Without it the column `domain` counts.',
  'go.example.com',
  { minLength: 1, maxLength: 253 },
)

export const ImportOptions = Type.Object({
  source: Type.Optional(source),
  dryRun: Type.Optional(flag(dryRun, true)),
  onConflict: Type.Optional(onConflict),
  mapping: Type.Optional(mapping),
  domain: Type.Optional(domain),
})
export type ImportOptions = Static<typeof ImportOptions>

const MAX_KEY_CHARS = 200
export const ShlinkImport = object('ShlinkImport', {
  baseUrl: text('Address of the Shlink server, without `/rest`.', 'https://s.example.com', {
    minLength: 1,
    maxLength: 2_048,
  }),
  apiKey: text(
    'API key of the Shlink server. It is kept sealed until the import ends, and in no answer.',
    '00000000-0000-4000-8000-000000000000',
    { minLength: 1, maxLength: MAX_KEY_CHARS, pattern: '^[\\x21-\\x7e]+$' },
  ),
  dryRun: Type.Optional(flag(dryRun, true)),
  onConflict: Type.Optional(onConflict),
  domain: Type.Optional(domain),
})
export type ShlinkImport = Static<typeof ShlinkImport>

const Columns = described(
  Type.Array(
    object('LinkImportColumn', {
      column: text('Name of the column in the file.', 'Long URL'),
      field: described(
        Type.Unsafe<Field | null>({ type: ['string', 'null'], enum: [...FIELD_NAMES, null] }),
        'The field of a link that it is read as; null: it is not imported.',
        'destinationUrl',
      ),
    }),
  ),
  'Every column of the file, with the recognized field.',
)

const MAX_COLUMNS = 200
export const ColumnsInput = object('LinkImportColumnsInput', {
  columns: described(
    Type.Array(Type.String({ maxLength: 200 }), { minItems: 1, maxItems: MAX_COLUMNS }),
    'The first row of a file.',
    ['Link', 'Long URL', 'Title'],
  ),
  source: Type.Optional(source),
  mapping: Type.Optional(mapping),
})
export type ColumnsInput = Static<typeof ColumnsInput>

export const RecognizedColumns = object('LinkImportColumns', {
  source: oneOf(SOURCE_NAMES, 'Service that writes such a file.', 'bitly'),
  columns: Columns,
  missing: described(Type.Array(Type.String()), 'Fields that an import needs and no column has.', [
    'destinationUrl',
  ]),
})
export type RecognizedColumns = Static<typeof RecognizedColumns>

const ROW_STATUSES = ['created', 'updated', 'skipped', 'failed'] as const
const rowStatus = oneOf(
  ROW_STATUSES,
  'Result of the row; in a dry run, the expected one.',
  'created',
)
export const ImportRow = object('LinkImportRow', {
  row: integer('Row of the file as a spreadsheet numbers it: the header is row 1.', 7),
  status: rowStatus,
  linkId: nullable(
    idShape('lnk', 'Id of its link; null for a refused row, and for a new link in a dry run.'),
  ),
  shortUrl: nullable(
    text(
      'The short URL of its link; null for a refused row, and for a random one in a dry run.',
      'https://links.example.com/summer',
    ),
  ),
  destinationUrl: nullable(text('Where it leads.', 'https://example.com/summer')),
  note: nullable(
    text(
      'Why the row was refused or skipped, or how its short URL differs from the one in the file.',
      'The file has it at bit.ly.',
    ),
  ),
})
export type ImportRow = Static<typeof ImportRow>

export const ListImportRows = Type.Object({
  ...PageQuery,
  status: Type.Optional(rowStatus),
})
export type ListImportRows = Static<typeof ListImportRows>

const ImportError = object('LinkImportError', {
  row: integer('Row of the file as a spreadsheet numbers it: the header is row 1.', 7),
  column: nullable(text('Column of the file; null for the row as a whole.', 'Destination URL')),
  code: text('Code of the error, as in other answers.', 'VALIDATION_ERROR'),
  message: text('What is wrong, and what to do.', 'destinationUrl must be an http or https URL.'),
})

const UnknownDomain = object('UnknownImportDomain', {
  domain: text('Host in the file.', 'go.example.org'),
  rows: integer('Rows on this host, all of them refused.', 250),
})

export const LinkImport = object('LinkImport', {
  id: idShape('imp', 'Id of the import.'),
  source: oneOf(SOURCE_NAMES, 'Service that wrote the file.', 'bitly'),
  status: oneOf(STATUSES, 'State of the import.', 'processing'),
  dryRun: flag(dryRun, false),
  onConflict: oneOf(POLICIES, 'What happens to a link that exists.', 'skip'),
  columns: Columns,
  domain: nullable(text('The option `domain`; null without it.', 'go.example.com')),
  total: integer('Rows of the file without the header and blank rows.', 1_000),
  processed: integer('Rows that are finished.', 400),
  created: integer('Links that were created.', 390),
  updated: integer('Links that were changed.', 0),
  skipped: integer('Rows whose links were skipped, or had nothing to change.', 8),
  failed: integer('Rows that were refused.', 2),
  errors: described(
    Type.Array(ImportError),
    `What is wrong with refused rows: the first ${MAX_ERRORS} errors.`,
  ),
  unknownDomains: described(
    Type.Array(UnknownDomain),
    `Domains of the file that the workspace does not have, ${MAX_ERRORS} at most.`,
    [],
  ),
  error: nullable(
    described(
      object('LinkImportFailure', {
        code: text('Code of the error.', 'FORBIDDEN'),
        message: text('Why the import stopped.', 'The API key is revoked.'),
      }),
      'Why a failed import stopped; the rows before stay imported.',
    ),
  ),
  canUndo: flag(
    'Whether the import can be undone: once, within an hour, if it wrote something.',
    false,
  ),
  createdAt: CreatedAt,
  completedAt: nullable(
    described(Timestamp, 'When it was completed, failed or canceled; null before.'),
  ),
})
export type LinkImport = Static<typeof LinkImport>
