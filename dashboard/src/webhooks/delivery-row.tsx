import { LogTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/webhooks.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import type { Delivery } from './queries.ts'

/** A line of the log; the chosen one points at its detail. */
export function DeliveryRow({
  delivery,
  endpointUrl,
  isChosen,
  onChoose,
}: {
  delivery: Delivery
  /** In a list of several endpoints. */
  endpointUrl: string | undefined
  isChosen: boolean
  onChoose: () => void
}) {
  const { id, status, eventType, createdAt, attempts, maxAttempts, responseStatus, error } =
    delivery
  const outcome = responseStatus ?? error
  const look = isChosen ? 'arm bg-way text-on-way' : 'hover:bg-sunk'
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        data-delivery={id}
        aria-current={isChosen || undefined}
        className={`grid min-h-[52px] w-full grid-cols-[106px_minmax(0,1fr)_minmax(0,auto)] items-center gap-2 px-4 text-start text-sm ${look}`}
        onClick={onChoose}
      >
        <DeliveryStatus status={status} isPlain={isChosen} />
        <span className="min-w-0 font-mono">
          <span className="block truncate">{eventType}</span>
          {endpointUrl && (
            <span className={`block truncate text-xs ${isChosen ? '' : 'text-soft'}`}>
              {withoutScheme(endpointUrl)}
            </span>
          )}
        </span>
        <span className="min-w-0 text-end text-xs">
          <LogTime at={createdAt} />
          <span className={`block max-w-40 truncate ${isChosen ? '' : 'text-soft'}`}>
            {text.deliveries.attempt(attempts, maxAttempts)}
            {outcome !== null && `, ${outcome}`}
          </span>
        </span>
      </button>
    </li>
  )
}
