import { changeTime } from '../../platform/resources/versions.ts'
import type { Checked } from './check.ts'
import { isServed, type DomainRow } from './row.ts'
import type { FailureReason } from './schema.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/core/clock.ts'

type Verdict = Pick<
  DomainRow,
  'status' | 'failureReason' | 'verifiedAt' | 'misconfiguredSince' | 'isDefault'
>

export type Trigger = 'request' | 'schedule'

/** Links of a domain keep redirecting for this long without its proof. */
const GRACE_MS = 72 * HOUR_MS
export const FIRST_CHECK_MS = 10 * MINUTE_MS
/** After this time an unverified host is checked once a day, and its claim has failed. */
const FRESH_FOR_MS = 7 * DAY_MS

/** Reasons that suggest that the host belongs to another claim. */
const CONFLICTS: readonly (FailureReason | null)[] = ['token_mismatch', 'conflicting_records']

/**
 * The row after a check:
 *
 *   pending, failed ──proved──▶ verified ──the proof is missing──▶ misconfigured ──72 hours──▶ failed
 *                                  └────────────proved again────────┘
 *
 * An unproved claim fails on request, on a conflict, and after its first seven days. Until then a scheduled
 * check sets it to pending. If name servers do not answer, only a check on request changes the status.
 */
export function applyCheck(
  before: DomainRow,
  { reason, records }: Checked,
  nowMs: number,
  trigger: Trigger,
): DomainRow {
  const now = new Date(nowMs)
  const verdict = judge(before, reason, now, trigger)
  const after = {
    ...before,
    ...verdict,
    // Once the domain is verified again, the edges order a certificate or reuse the old one.
    ...(!isServed(verdict) &&
      ({ sslStatus: 'none', sslFailureReason: null, sslNextAttemptAt: null } as const)),
    records,
    lastCheckedAt: now,
    updatedAt: changeTime(nowMs, before),
  }
  return { ...after, nextCheckAt: toNextCheck(after, nowMs) }
}

function judge(before: DomainRow, reason: Checked['reason'], now: Date, trigger: Trigger): Verdict {
  const { status, isDefault, verifiedAt, misconfiguredSince } = before
  if (reason === null) {
    const isSame = status === 'verified' || status === 'misconfigured'
    return {
      ...{ status: 'verified', failureReason: null, isDefault, misconfiguredSince: null },
      verifiedAt: isSame ? verifiedAt : now,
    }
  }
  const unproved = { failureReason: reason, isDefault: false, verifiedAt, misconfiguredSince: null }
  if (status === 'pending' || status === 'failed')
    return { ...unproved, status: statusOfClaim(before, reason, now, trigger) }
  const kept = { status, isDefault, verifiedAt, misconfiguredSince }
  if (status === 'verified')
    return reason === 'lookup_error'
      ? { ...kept, failureReason: reason }
      : { ...kept, status: 'misconfigured', failureReason: reason, misconfiguredSince: now }
  if (now.getTime() - misconfiguredSince!.getTime() >= GRACE_MS)
    return { ...unproved, status: 'failed' }
  return { ...kept, failureReason: reason === 'lookup_error' ? before.failureReason : reason }
}

function statusOfClaim(before: DomainRow, reason: FailureReason, now: Date, trigger: Trigger) {
  const mayBeProved = trigger === 'schedule' && isFresh(before, now.getTime())
  if (!mayBeProved || CONFLICTS.includes(reason)) return 'failed'
  return reason === 'lookup_error' && before.status === 'failed' ? 'failed' : 'pending'
}

type Scheduled = Pick<DomainRow, 'status' | 'failureReason' | 'createdAt' | 'verifiedAt'>

/** Up to a tenth earlier or later, which spreads the checks of many domains. */
export function toNextCheck(row: Scheduled, nowMs: number, chance = Math.random()): Date {
  return new Date(nowMs + pauseOf(row, nowMs) * (0.9 + 0.2 * chance))
}

function pauseOf({ status, failureReason, createdAt, verifiedAt }: Scheduled, nowMs: number) {
  if (status === 'verified') return failureReason === null ? DAY_MS : HOUR_MS
  if (status === 'misconfigured') return HOUR_MS
  return isFresh({ createdAt, verifiedAt }, nowMs) ? FIRST_CHECK_MS : DAY_MS
}

function isFresh(
  { createdAt, verifiedAt }: Pick<DomainRow, 'createdAt' | 'verifiedAt'>,
  nowMs: number,
): boolean {
  return nowMs - Math.max(createdAt.getTime(), verifiedAt?.getTime() ?? 0) < FRESH_FOR_MS
}
