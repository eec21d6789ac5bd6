import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/locale.ts'
import { text } from '../text/webhooks.ts'
import { countsQuery } from './queries.ts'
import { STATUSES, type DeliverySearch, type Status } from './search.ts'

/** The statuses with the number of deliveries that the other filters leave in each. */
export function DeliveryTabs({
  search,
  onStatus,
}: {
  search: DeliverySearch
  onStatus: (status: Status | undefined) => void
}) {
  const { id } = useWorkspace()
  const counts = useQuery(countsQuery(id, search))
  const tabs = [
    { status: undefined, label: text.deliveries.anyStatus, count: counts.data?.total },
    ...STATUSES.map((status) => ({
      status,
      label: text.deliveries.statuses[status],
      count: counts.data?.[status],
    })),
  ]
  return (
    <>
      <div
        role="group"
        aria-label={text.deliveries.statusFilter}
        className={`flex flex-wrap px-2 ${counts.isPlaceholderData ? 'opacity-60' : ''}`}
      >
        {tabs.map(({ status, label, count }) => (
          <button
            key={label}
            type="button"
            className="min-h-10 px-2 text-sm text-soft aria-pressed:here aria-pressed:font-semibold aria-pressed:text-ink max-md:min-h-11"
            aria-pressed={search.status === status}
            onClick={() => onStatus(status)}
          >
            {label}{' '}
            {count !== undefined && (
              <span className={status === 'dead_letter' && count > 0 ? 'text-stop' : ''}>
                {formatNumber(count)}
              </span>
            )}
          </button>
        ))}
      </div>
      {counts.error && (
        <div className="p-3">
          <ErrorNote error={counts.error} onRetry={() => void counts.refetch()} />
        </div>
      )}
    </>
  )
}
