import { changeTime } from '../versions.ts'
import type { Checked } from './check.ts'
import type { DomainRow } from './row.ts'
import { GRACE_MS, toNextCheck } from './schedule.ts'

type Verdict = Pick<
  DomainRow,
  'status' | 'failureReason' | 'verifiedAt' | 'misconfiguredSince' | 'isDefault'
>

/**
 * The row after a check:
 *
 *   pending, failed ──proved──▶ verified ──the proof is missing──▶ misconfigured ──72 hours──▶ failed
 *                                  └────────────proved again────────┘
 *
 * An attempt without the proof makes a pending domain failed. Name servers that do not answer prove nothing
 * about a verified domain, which stays as it is.
 */
export function applyCheck(
  before: DomainRow,
  { reason, records }: Checked,
  nowMs: number,
): DomainRow {
  const now = new Date(nowMs)
  const after = {
    ...before,
    ...judge(before, reason, now),
    records,
    lastCheckedAt: now,
    updatedAt: changeTime(nowMs, before),
  }
  return { ...after, nextCheckAt: toNextCheck(after, nowMs) }
}

function judge(before: DomainRow, reason: Checked['reason'], now: Date): Verdict {
  const { status, isDefault, verifiedAt, misconfiguredSince } = before
  if (reason === null) {
    const isSame = status === 'verified' || status === 'misconfigured'
    return {
      ...{ status: 'verified', failureReason: null, isDefault, misconfiguredSince: null },
      verifiedAt: isSame ? verifiedAt : now,
    }
  }
  const failed = { status: 'failed', failureReason: reason, isDefault: false } as const
  if (status === 'verified') {
    if (reason === 'lookup_error')
      return { status, failureReason: reason, isDefault, verifiedAt, misconfiguredSince }
    const since = now
    return {
      ...{ status: 'misconfigured', failureReason: reason, isDefault, verifiedAt },
      misconfiguredSince: since,
    }
  }
  if (status !== 'misconfigured' || now.getTime() - misconfiguredSince!.getTime() >= GRACE_MS)
    return { ...failed, verifiedAt, misconfiguredSince: null }
  const failureReason = reason === 'lookup_error' ? before.failureReason : reason
  return { status, failureReason, isDefault, verifiedAt, misconfiguredSince }
}
