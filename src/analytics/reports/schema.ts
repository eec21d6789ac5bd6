import { Type, type Static } from 'typebox'
import type { BreakdownName } from '../questions/dimensions.ts'
import { described, named } from '../../platform/routes/shape.ts'
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
} from '../../platform/resources/shapes.ts'
import { TimeZoneInput } from '../../platform/resources/zone.ts'

export const NAME_MAX_CHARS = 100
const MAX_RECIPIENTS = 50
const MAX_LINKS = 100
const MAX_DAYS = 3_650

export const TYPES = [
  ...(['links', 'clicks', 'conversions', 'campaign', 'domains', 'summary', 'audit_log'] as const),
] as const
export type ReportType = (typeof TYPES)[number]
export const NAMES: Record<ReportType, string> = {
  links: 'Links',
  clicks: 'Clicks',
  conversions: 'Conversions',
  campaign: 'Campaigns',
  domains: 'Domains',
  summary: 'Summary',
  audit_log: 'Audit log',
}
export const FORMATS = ['csv', 'json', 'xlsx', 'pdf'] as const
export type ReportFormat = (typeof FORMATS)[number]
/** Breakdowns of the analytics. */
const DIMENSIONS = [
  ...(['country', 'region', 'city', 'continent', 'device', 'browser', 'os', 'referrer'] as const),
  ...(['language', 'trigger', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm'] as const),
  ...(['utmContent', 'destination'] as const),
] as const satisfies readonly BreakdownName[]
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
  currency: Type.Optional(
    text(
      'Currency of `value`, and of conversions their only one; values are in `usd` by default.',
      'usd',
      {
        pattern: '^[A-Za-z]{3}$',
      },
    ),
  ),
  dimensions: Type.Optional(
    described(
      Type.Array(oneOf(DIMENSIONS, 'Name of a breakdown.', 'country'), {
        minItems: 1,
        maxItems: DIMENSIONS.length,
      }),
      'For a summary: adds a row for each of the ten most clicked labels. For clicks: the columns besides those that identify the click. Other types ignore it.',
    ),
  ),
})
const Filters = described(named('ReportFilters', filters), 'What the report is about.', {
  days: 30,
  timezone: 'Europe/Berlin',
})
export type ReportFilters = Static<typeof filters>

const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const
const frequency = oneOf(FREQUENCIES, 'How often it runs; `monthly`: on the 1st.', 'weekly')
const hour = integer(
  'Local hour of the run. If the clocks skip it, the run starts where they continue; if it occurs twice, the first one counts.',
  8,
  { minimum: 0, maximum: 23 },
)
const weekday = nullable(
  integer('Day of a weekly run, as for cron: 1 is Monday, and 0 and 7 are Sunday.', 1, {
    minimum: 0,
    maximum: 7,
  }),
)
const recipients = described(
  Type.Array(text('Address of a member.', 'ada@example.com', { minLength: 3, maxLength: 254 }), {
    maxItems: MAX_RECIPIENTS,
  }),
  'Members who get a mail after each scheduled run, with a link that requires a sign-in.',
)
const schedule = Type.Object({
  frequency,
  hour,
  weekday,
  timezone: TimeZoneInput,
  recipients,
})
const scheduleInput = Type.Object({
  frequency,
  hour: Type.Optional(described(hour, 'Local hour of the run; 8 by default.')),
  weekday: Type.Optional(weekday),
  timezone: Type.Optional(described(TimeZoneInput, 'Time zone of hour and day; UTC by default.')),
  recipients: Type.Optional(recipients),
})
export type Schedule = Static<typeof schedule>
export type ScheduleInput = Static<typeof scheduleInput>
const NullableInput = nullable(
  described(
    named('ReportScheduleInput', scheduleInput),
    'Runs the report at these times too, after the run now; null: ends the schedule.',
  ),
)

const fields = {
  id: idShape('rep', 'Id of the report.'),
  workspaceId: WorkspaceId,
  name,
  type,
  format,
  status: oneOf(STATUSES, 'State of the latest run.', 'completed'),
  progress: integer('Percent of the latest run that is done.', 100),
  filters: Filters,
  schedule: nullable(
    described(named('ReportSchedule', schedule), 'When it runs again; null: never.'),
  ),
  nextRunAt: nullable(
    described(
      Timestamp,
      'When it runs next by its schedule; null without one.',
      '2026-01-05T07:00:00.000Z',
    ),
  ),
  rowCount: nullable(integer('Rows of the file; null without a file.', 120)),
  size: nullable(integer('Bytes of the file; null without a file.', 18_240)),
  downloadUrl: nullable(
    text(
      'Address of the file; null without one. It needs a session, or a key with the scope `reports:read`.',
      'https://links.example.com/v1/reports/rep_01ARZ3NDEKTSV4RRFFQ69G5FAV/download',
    ),
  ),
  error: described(
    nullable(
      named(
        'ReportError',
        Type.Object({
          code: text('Code of the error, as in other answers, or `canceled`.', 'FORBIDDEN'),
          message: text('Why there is no file.', 'The API key is revoked.'),
        }),
      ),
    ),
    'Why the latest run failed; null otherwise.',
    null,
  ),
  generatedAt: nullable(described(Timestamp, 'When the file was finished; null without one.')),
  expiresAt: nullable(
    described(Timestamp, 'When the file is deleted; null without one.', '2026-01-31T00:00:00.000Z'),
  ),
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
      schedule: Type.Optional(NullableInput),
    },
    { examples: [{ name: 'Links by month', type: 'links', format: 'csv', filters: { days: 30 } }] },
  ),
)
export type CreateReport = Static<typeof CreateReport>

export const UpdateReport = named(
  'UpdateReport',
  described(
    Type.Partial(Type.Object({ name, filters: Filters, schedule: NullableInput })),
    'The fields to change. Filters count from the next run on.',
  ),
)
export type UpdateReport = Static<typeof UpdateReport>
