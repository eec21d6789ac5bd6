import { Type, type Static } from 'typebox'
import { described, named } from '../../base/shape.ts'
import {
  CreatedAt,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  WorkspaceId,
} from '../shapes.ts'
import { TimeZoneInput } from '../time-zone.ts'

export const NAME_MAX_CHARS = 100
const MAX_LINKS = 100
const MAX_DAYS = 3_650

export const TYPES = ['links'] as const
export type ReportType = (typeof TYPES)[number]
export const FORMATS = ['csv'] as const
export type ReportFormat = (typeof FORMATS)[number]
const STATUSES = ['pending', 'processing', 'completed', 'failed'] as const
export type ReportStatus = (typeof STATUSES)[number]

const name = text('Name of the report.', 'Links by month', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const type = oneOf(TYPES, 'What the rows of the report are.', 'links')
const format = oneOf(FORMATS, 'Format of the file.', 'csv')

const moment = (description: string, example: string) =>
  Type.Optional(text(description, example, { minLength: 1, maxLength: 40 }))

const filters = Type.Object({
  days: Type.Optional(
    integer('Number of calendar days until the run, its day included; 30 by default.', 30, {
      minimum: 1,
      maximum: MAX_DAYS,
    }),
  ),
  start: moment('Instead of `days`: the first moment, or a date.', '2026-01-01'),
  end: moment(
    'The moment after the period, or its last date. The default is the run.',
    '2026-01-31',
  ),
  timezone: Type.Optional(
    described(TimeZoneInput, 'Time zone of the days; by default that of the schedule, else UTC.'),
  ),
  linkIds: Type.Optional(
    described(
      Type.Array(idInput('lnk', 'Id of a link.'), { minItems: 1, maxItems: MAX_LINKS }),
      'Only these links.',
    ),
  ),
  campaignId: Type.Optional(idInput('cmp', 'Only links that are in this campaign.')),
  domainId: Type.Optional(idInput('dom', 'Only links, or clicks, on this domain.')),
})
const Filters = described(named('ReportFilters', filters), 'What the report is about.')
export type ReportFilters = Static<typeof filters>

const fields = {
  id: idShape('rep', 'Id of the report.'),
  workspaceId: WorkspaceId,
  name,
  type,
  format,
  status: oneOf(STATUSES, 'State of the latest run.', 'completed'),
  progress: integer('Percent of the latest run that is done.', 100),
  filters: Filters,
  rowCount: nullable(integer('Rows of the file; null without a file.', 120)),
  size: nullable(integer('Bytes of the file; null without a file.', 18_240)),
  downloadUrl: nullable(
    text(
      'Address of the file; null without one. It needs a session, or a key with the scope `reports:read`.',
      'https://links.example.com/v1/reports/rep_01ARZ3NDEKTSV4RRFFQ69G5FAV/download',
    ),
  ),
  error: nullable(
    described(
      named(
        'ReportError',
        Type.Object({
          code: text('Code of the error, as in other answers, or `canceled`.', 'FORBIDDEN'),
          message: text('Why there is no file.', 'The API key is revoked.'),
        }),
      ),
      'Why the latest run failed; null otherwise.',
    ),
  ),
  generatedAt: nullable(described(Timestamp, 'When the file was finished; null without one.')),
  expiresAt: nullable(described(Timestamp, 'When the file is deleted; null without one.')),
  createdAt: CreatedAt,
}

export const Report = named('Report', Type.Object(fields))
export type Report = Static<typeof Report>

export const CreateReport = named(
  'CreateReport',
  Type.Object(
    {
      type,
      name: Type.Optional(described(name, 'Name of the report; by default made of the type.')),
      format: Type.Optional(described(format, 'Format of the file; csv by default.')),
      filters: Type.Optional(Filters),
    },
    { examples: [{ name: 'Links by month', type: 'links', format: 'csv', filters: { days: 30 } }] },
  ),
)
export type CreateReport = Static<typeof CreateReport>

export const UpdateReport = named(
  'UpdateReport',
  described(
    Type.Partial(Type.Object({ name, filters: Filters })),
    'The fields to change. Filters count from the next run on.',
  ),
)
export type UpdateReport = Static<typeof UpdateReport>
