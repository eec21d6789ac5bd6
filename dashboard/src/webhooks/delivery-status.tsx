import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/webhooks.ts'
import type { Delivery } from './queries.ts'

const LOOKS: Record<Delivery['status'], { icon: IconName; className: string }> = {
  pending: { icon: 'clock', className: 'text-soft' },
  processing: { icon: 'loader-circle', className: 'text-lake' },
  completed: { icon: 'circle-check', className: 'text-ok' },
  failed: { icon: 'rotate-ccw', className: 'text-warn' },
  dead_letter: { icon: 'circle-x', className: 'text-stop' },
}

/** A status as a drawing and a word; `isPlain` on a ground that sets the color. */
export function DeliveryStatus({
  status,
  isPlain = false,
}: {
  status: Delivery['status']
  isPlain?: boolean
}) {
  const { icon, className } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1 font-semibold ${isPlain ? '' : className}`}>
      <Icon name={icon} /> {text.deliveries.statuses[status]}
    </span>
  )
}
