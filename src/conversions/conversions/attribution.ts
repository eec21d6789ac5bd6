import { timeOfUlid } from '../../platform/core/ids.ts'
import type { FoundClick, Labels } from './clicks.ts'
import type { Draft } from './draft.ts'
import type { Reason } from '../../analytics/conversion-reasons.ts'
import { DAY_MS } from '../../platform/core/clock.ts'

export const WINDOW_MS = 30 * DAY_MS
/** A click may be this much later than its conversion: clocks differ. */
const LATER_MS = 60_000
/** Time for which a conversion waits for a click that is under way from an edge. */
export const WAIT_MS = 10 * 60_000

export type Link = { id: string; slug: string }

export type Attribution = {
  status: 'waiting' | 'attributed' | 'unattributed'
  reason: Reason
  link: Link | null
  clickId: string | null
  clickedAt: Date | null
  labels: Labels | null
}

/** A click that a conversion of the customer has named; its labels may not be read yet. */
export type CustomerClick = Omit<FoundClick, 'labels'> & { labels: Labels | null }

export type Surroundings = {
  found: FoundClick | undefined
  link: Link | null
  signedLink: Link | null
  customerClick: CustomerClick | undefined
  isCustomerWaiting: boolean
  isLast: boolean
}

type Named = Pick<Draft, 'click' | 'occurredAt'>

/** A click that is not stored yet is waited for, unless a signature proves it. */
export function attribute({ click, occurredAt }: Named, at: Surroundings): Attribution {
  if (click === null) return attributeOtherwise(at, 'no_click')
  if (click === 'unknown') return attributeOtherwise(at, 'unknown_click')
  const clickedMs = timeOfUlid(click.clickId)
  if (clickedMs > toLatest(occurredAt)) return attributeOtherwise(at, 'later_click')
  if (at.found) return toClick(at.found, click.linkId === null ? 'click_id' : 'sp_id')
  if (clickedMs < occurredAt.getTime() - WINDOW_MS) return attributeOtherwise(at, 'old_click')
  // The signature proves the click, whose labels are read later.
  if (at.signedLink !== null)
    return {
      ...unattributed('sp_id'),
      status: 'attributed',
      link: at.signedLink,
      clickId: click.clickId,
      clickedAt: new Date(clickedMs),
    }
  if (!at.isLast) return unattributed('waiting')
  return attributeOtherwise(at, 'unknown_click')
}

export function isInWindow({ click, occurredAt }: Named): boolean {
  if (click === null || click === 'unknown') return false
  return canCount(timeOfUlid(click.clickId), occurredAt)
}

export function canCount(clickedMs: number, occurredAt: Date): boolean {
  return clickedMs >= occurredAt.getTime() - WINDOW_MS && clickedMs <= toLatest(occurredAt)
}

export function toLatest(occurredAt: Date): number {
  return occurredAt.getTime() + LATER_MS
}

function attributeOtherwise(at: Surroundings, reason: Reason): Attribution {
  if (at.link !== null) return { ...unattributed('link'), status: 'attributed', link: at.link }
  if (at.customerClick) return toClick(at.customerClick, 'customer')
  return unattributed(at.isCustomerWaiting && !at.isLast ? 'waiting' : reason)
}

function toClick(found: CustomerClick, reason: Reason): Attribution {
  const { linkId, slug, clickId, clickedAt, labels } = found
  return { status: 'attributed', reason, link: { id: linkId, slug }, clickId, clickedAt, labels }
}

export function unattributed(reason: Reason): Attribution {
  const status = reason === 'waiting' ? 'waiting' : 'unattributed'
  return { status, reason, link: null, clickId: null, clickedAt: null, labels: null }
}
