import { changeTime } from '../../platform/resources/versions.ts'
import type { Checked } from './check.ts'
import { isServed, type DomainRow } from './row.ts'
import { GRACE_MS, isFresh, toNextCheck } from './schedule.ts'
import type { FailureReason } from './schema.ts'

type Verdict = Pick<
  DomainRow,
  'status' | 'failureReason' | 'verifiedAt' | 'misconfiguredSince' | 'isDefault'
>

/** `request`: a user asked for the check. */
export type Trigger = 'request' | 'schedule'

/** Reasons that say that the host may belong to another claim. */
const CONFLICTS: readonly (FailureReason | null)[] = ['token_mismatch', 'conflicting_records']

/**
 * The row after a check:
 *
 *   pending, failed ──proved──▶ verified ──the proof is missing──▶ misconfigured ──72 hours──▶ failed
 *                                  └────────────proved again────────┘
 *
 * A claim that is not proved fails by a request, by a conflict, and when its first seven days are over. Until then
 * a check on schedule returns it to pending, or leaves it so. Name servers that do not answer prove nothing: the
 * status stays, except by a request.
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
    // The edges order a certificate, or find the one that is left, once the domain is verified again.
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

function statusOfClaim(
  before: DomainRow,
  reason: FailureReason,
  now: Date,
  trigger: Trigger,
): 'pending' | 'failed' {
  const mayBeProved = trigger === 'schedule' && isFresh(before, now.getTime())
  if (!mayBeProved || CONFLICTS.includes(reason)) return 'failed'
  return reason === 'lookup_error' && before.status === 'failed' ? 'failed' : 'pending'
}
