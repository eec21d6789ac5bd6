import type { DomainRow } from './row.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Time for which links of a domain without its proof still redirect. */
export const GRACE_MS = 72 * HOUR_MS
const OFTEN_MS = 10 * MINUTE_MS
/** After this time a host that is not verified is checked once a day, and its claim has failed. */
const FRESH_FOR_MS = 7 * DAY_MS
export const FIRST_CHECK_MS = OFTEN_MS

type Checked = Pick<DomainRow, 'status' | 'failureReason' | 'createdAt' | 'verifiedAt'>

/**
 * The time of the next check, up to a tenth earlier or later, so that the checks of many domains spread.
 * @param chance from 0 to 1
 */
export function toNextCheck(row: Checked, nowMs: number, chance = Math.random()): Date {
  return new Date(nowMs + pauseOf(row, nowMs) * (0.9 + 0.2 * chance))
}

function pauseOf({ status, failureReason, createdAt, verifiedAt }: Checked, nowMs: number): number {
  if (status === 'verified') return failureReason === null ? DAY_MS : HOUR_MS
  if (status === 'misconfigured') return HOUR_MS
  return isFresh({ createdAt, verifiedAt }, nowMs) ? OFTEN_MS : DAY_MS
}

/** Whether a domain was added, or last became verified, less than seven days ago. */
export function isFresh(
  { createdAt, verifiedAt }: Pick<DomainRow, 'createdAt' | 'verifiedAt'>,
  nowMs: number,
): boolean {
  return nowMs - Math.max(createdAt.getTime(), verifiedAt?.getTime() ?? 0) < FRESH_FOR_MS
}
