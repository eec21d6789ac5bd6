import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/link-page.ts'
import type { Link } from './queries.ts'

const LOOKS: Record<Link['status'], { icon: IconName; className: string }> = {
  active: { icon: 'circle-check', className: 'text-ok' },
  paused: { icon: 'pause', className: 'text-warn' },
  archived: { icon: 'archive', className: 'text-soft' },
  expired: { icon: 'clock', className: 'text-warn' },
  blocked: { icon: 'ban', className: 'text-stop' },
}

/** A status as a drawing and a word. */
export function LinkStatus({ status }: { status: Link['status'] }) {
  const { icon, className } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1 text-sm font-semibold ${className}`}>
      <Icon name={icon} /> {text.links.statuses[status]}
    </span>
  )
}
