import { splitList } from '../kit/lists.ts'
import { text } from '../text/reports.ts'
import type { Report } from './queries.ts'

type Frequency = 'never' | 'daily' | 'weekly' | 'monthly'

/** The fields of the drawer as the user sees them. */
export type Draft = {
  name: string
  type: Report['type']
  format: Report['format']
  /** Empty: the period of the report is another one than a number of days. */
  days: string
  frequency: Frequency
  hour: string
  weekday: string
  timezone: string
  /** Separated by commas. */
  recipients: string
}

export const DAYS = ['1', '7', '30', '90', '365'] as const

export function draftOf(report: Report | null, timezone: string): Draft {
  const { name = '', type = 'summary', format = 'pdf', filters = {}, schedule } = report ?? {}
  return {
    ...{ name, type, format },
    days:
      filters.start === undefined && filters.end === undefined ? String(filters.days ?? 30) : '',
    frequency: schedule?.frequency ?? 'never',
    hour: String(schedule?.hour ?? 8),
    weekday: String(schedule?.weekday ?? 1),
    timezone: schedule?.timezone ?? timezone,
    recipients: schedule?.recipients.join(', ') ?? '',
  }
}

/** The body of a new report. */
export function toNew({ name, type, format, ...draft }: Draft) {
  const { days, timezone } = draft
  return {
    ...{ type, format, filters: { days: Number(days), timezone } },
    name: name.trim() || text.reports.types[type],
    schedule: toSchedule(draft),
  }
}

/** The body of a change; filters that the drawer does not show stay. */
export function toChange({ name, ...draft }: Draft, { filters }: Report) {
  const days = draft.days === '' ? {} : { days: Number(draft.days) }
  return { name: name.trim(), filters: { ...filters, ...days }, schedule: toSchedule(draft) }
}

function toSchedule(draft: Omit<Draft, 'name' | 'type' | 'format'>) {
  const { frequency, hour, weekday, timezone, recipients } = draft
  if (frequency === 'never') return null
  return {
    ...{ frequency, hour: Number(hour), timezone },
    ...(frequency === 'weekly' && { weekday: Number(weekday) }),
    recipients: splitList(recipients),
  }
}
