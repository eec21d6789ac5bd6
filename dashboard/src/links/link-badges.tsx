import { formatDateTime } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/links.ts'
import type { Link } from './queries.ts'

/** Marks of what a link does beside leading somewhere. */
export function LinkBadges({ link }: { link: Link }) {
  const marks = marksOf(link)
  if (marks.length === 0) return null
  return (
    <span className="inline-flex shrink-0 items-center gap-1 text-soft">
      {marks.map(({ icon, label }) => (
        <span key={icon} title={label} className="inline-flex">
          <Icon name={icon} size={14} label={label} />
        </span>
      ))}
    </span>
  )
}

function marksOf(link: Link): { icon: IconName; label: string }[] {
  const { password, startsAt, expiresAt, maxClicks, rules, variants } = link
  const words = text.linkList.badges
  const limits = [
    startsAt !== null && words.starts(formatDateTime(startsAt)),
    expiresAt !== null && words.expires(formatDateTime(expiresAt)),
    maxClicks !== null && words.maxClicks(formatNumber(maxClicks)),
  ].filter((each) => each !== false)
  return [
    ...(password === null ? [] : [{ icon: 'lock' as const, label: words.password }]),
    ...(limits.length === 0 ? [] : [{ icon: 'clock' as const, label: limits.join(', ') }]),
    ...(rules.length === 0 ? [] : [{ icon: 'split' as const, label: words.rules(rules.length) }]),
    ...(variants.length === 0
      ? []
      : [{ icon: 'git-branch' as const, label: words.variants(variants.length) }]),
  ]
}
