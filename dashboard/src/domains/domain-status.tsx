import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/domains.ts'
import type { Domain } from './queries.ts'

const LOOKS: Record<Domain['status'], { icon: IconName; className: string }> = {
  pending: { icon: 'clock', className: 'text-soft' },
  verified: { icon: 'circle-check', className: 'text-ok' },
  misconfigured: { icon: 'triangle-alert', className: 'text-warn' },
  failed: { icon: 'circle-alert', className: 'text-stop' },
}

/** The status in a word with a drawing. */
export function DomainStatus({ status }: Pick<Domain, 'status'>) {
  const { icon, className } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1 text-sm font-semibold ${className}`}>
      <Icon name={icon} /> {text.states.domainStatuses[status]}
    </span>
  )
}

/** Marks the domain of new links. */
export function DefaultMark({ isDefault }: Pick<Domain, 'isDefault'>) {
  if (!isDefault) return null
  return (
    <span className="inline-flex items-center gap-1 rounded-sm border border-line px-1.5 text-xs font-semibold">
      <Icon name="star" size={12} /> {text.domains.default}
    </span>
  )
}
