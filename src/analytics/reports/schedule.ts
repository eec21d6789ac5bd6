import { invalid } from '../../platform/core/errors.ts'
import { checkTimeZone } from '../../platform/resources/time-zone.ts'
import { openZone } from '../../platform/resources/zone.ts'
import type { Schedule, ScheduleInput } from './schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** A month and a day: the next run of every schedule is sooner. */
const MAX_DAYS = 33
const DEFAULT_HOUR = 8
const MONDAY = 1

/**
 * The stored form of a schedule.
 * @throws ApiError VALIDATION_ERROR with the path of the field
 */
export function checkSchedule(input: ScheduleInput): Schedule {
  const { frequency, hour = DEFAULT_HOUR, weekday, timezone = 'UTC', recipients = [] } = input
  if (weekday !== undefined && weekday !== null && frequency !== 'weekly')
    throw invalid('schedule.weekday', 'schedule.weekday is for the frequency weekly alone.')
  return {
    frequency,
    hour,
    // 7 is Sunday too, as for cron.
    weekday: frequency === 'weekly' ? (weekday ?? MONDAY) % 7 : null,
    timezone: checkTimeZone(timezone, 'schedule.timezone'),
    recipients: [...new Set(recipients)],
  }
}

/**
 * The first time of a schedule after a moment. An hour that the clocks skip begins where they go on, and one that
 * they show twice counts when they show it first, so that each day has one run at most.
 */
export function toNextRun(
  { frequency, hour, weekday, timezone }: Schedule,
  afterMs: number,
): number {
  const zone = openZone(timezone)
  const today = Math.floor(zone.toLocal(afterMs) / DAY_MS) * DAY_MS
  for (let day = 0; day <= MAX_DAYS; day++) {
    const midnight = today + day * DAY_MS
    const date = new Date(midnight)
    const isDue =
      frequency === 'daily' ||
      (frequency === 'weekly' ? date.getUTCDay() === weekday : date.getUTCDate() === 1)
    if (!isDue) continue
    const at = zone.fromLocal(midnight + hour * HOUR_MS)
    if (at > afterMs) return at
  }
  throw new Error(`the schedule ${frequency} has no next run`)
}
