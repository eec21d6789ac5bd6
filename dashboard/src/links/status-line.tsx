import { useState } from 'react'
import { formatDateTime } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/link-page.ts'
import { LinkStatus } from './link-status.tsx'
import type { Link } from './queries.ts'

/** The state of a link with its reason, and what visitors get. */
export function StatusLine({ link }: { link: Link }) {
  const words = text.linkPage
  const [nowMs] = useState(() => Date.now())
  const isEarly =
    link.status === 'active' && link.startsAt !== null && Date.parse(link.startsAt) > nowMs
  const parts = isEarly
    ? [words.notBefore(formatDateTime(link.startsAt!)), words.notStartedPage]
    : reasonsOf(link, nowMs)
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      {isEarly ? (
        <span className="inline-flex items-center gap-1 font-semibold text-warn">
          <Icon name="clock" /> {words.notStarted}
        </span>
      ) : (
        <LinkStatus status={link.status} />
      )}
      <span className="min-w-0 break-words text-soft">{parts.join(', ')}</span>
      {link.password !== null && (
        <span className="inline-flex items-center gap-1 text-soft">
          <Icon name="lock" /> {words.needsPassword}
        </span>
      )}
    </p>
  )
}

function reasonsOf(link: Link, nowMs: number): string[] {
  const words = text.linkPage
  const { status, expiresAt, expiredUrl, archivedAt, maxClicks, blockedReason } = link
  if (status === 'paused') return [words.paused]
  if (status === 'blocked') return [words.blocked(blockedReason)]
  if (status === 'archived')
    return [
      archivedAt === null ? '' : words.since(formatDateTime(archivedAt)),
      words.archived,
    ].filter(Boolean)
  if (status === 'expired') {
    const isOver = expiresAt !== null && Date.parse(expiresAt) <= nowMs
    const reason = isOver
      ? words.expiredAt(formatDateTime(expiresAt))
      : words.usedUp(formatNumber(maxClicks ?? 0))
    return [reason, expiredUrl === null ? words.expiredPage : words.expiredTo(expiredUrl)]
  }
  return [
    expiresAt === null ? '' : words.until(formatDateTime(expiresAt)),
    maxClicks === null ? '' : text.links.maxClicksState(formatNumber(maxClicks)),
  ].filter(Boolean)
}
