import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatClock } from '../kit/format.ts'
import { Arm, Skeleton } from '../kit/layout.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { DeliveryDetail } from './delivery-detail.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { deliveriesQuery, type Delivery, type Endpoint } from './queries.ts'
import { STATUSES, type DeliverySearch } from './search.ts'

type Props = {
  search: DeliverySearch
  endpoints: readonly Endpoint[]
  onChange: (part: Partial<DeliverySearch>) => void
}

/** The deliveries at the left, the chosen one with its attempts at the right. */
export function Deliveries({ search, endpoints, onChange }: Props) {
  const { id } = useWorkspace()
  const deliveries = useQuery(deliveriesQuery(id, search))
  const rows = deliveries.data?.data ?? []
  const endpoint = endpoints.find((each) => each.id === search.endpointId)
  return (
    <section aria-label={text.webhooks.deliveries}>
      <div className="flex flex-wrap items-center gap-2 pb-3">
        <h2 className="text-lg font-bold">{text.webhooks.deliveries}</h2>
        {endpoint && (
          <Arm>
            {text.webhooks.endpoint}{' '}
            <b className="max-w-60 truncate font-semibold">{endpoint.url}</b>
            <IconButton
              icon="x"
              label={text.webhooks.removeFilter}
              className="size-7!"
              onClick={() => onChange({ endpointId: undefined })}
            />
          </Arm>
        )}
        <span className="ml-auto" />
        {search.endpointId && <RetryAll endpointId={search.endpointId} />}
      </div>
      <ErrorNote error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      <div className="grid rounded border border-line bg-card lg:grid-cols-[minmax(280px,2fr)_minmax(0,3fr)]">
        <div className={search.delivery ? 'max-lg:hidden' : ''}>
          <StatusTabs search={search} onChange={onChange} />
          {deliveries.isPending && <Skeleton rows={6} height={52} />}
          {deliveries.data && rows.length === 0 && (
            <p className="p-4 text-sm text-soft">{text.webhooks.noDeliveries}</p>
          )}
          <ul>
            {rows.map((row) => (
              <DeliveryRow
                key={row.id}
                delivery={row}
                isChosen={row.id === search.delivery}
                onChoose={() => onChange({ delivery: row.id })}
              />
            ))}
          </ul>
        </div>
        <div className="min-w-0 border-line p-4 lg:border-l">
          {search.delivery ? (
            <DeliveryDetail
              deliveryId={search.delivery}
              onClose={() => onChange({ delivery: undefined })}
            />
          ) : (
            <p className="text-sm text-soft max-lg:hidden">{text.webhooks.chooseDelivery}</p>
          )}
        </div>
      </div>
    </section>
  )
}

function StatusTabs({ search, onChange }: Pick<Props, 'search' | 'onChange'>) {
  const tab =
    'min-h-10 px-2.5 text-sm text-soft aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:here'
  return (
    <div
      role="group"
      aria-label={text.webhooks.statusFilter}
      className="flex flex-wrap border-b border-line px-2"
    >
      <button
        type="button"
        className={tab}
        aria-pressed={search.status === undefined}
        onClick={() => onChange({ status: undefined })}
      >
        {text.webhooks.anyStatus}
      </button>
      {STATUSES.map((status) => (
        <button
          key={status}
          type="button"
          className={tab}
          aria-pressed={search.status === status}
          onClick={() => onChange({ status })}
        >
          {text.webhooks.statuses[status]}
        </button>
      ))}
    </div>
  )
}

function DeliveryRow({
  delivery,
  isChosen,
  onChoose,
}: {
  delivery: Delivery
  isChosen: boolean
  onChoose: () => void
}) {
  const { status, eventType, createdAt, attempts, maxAttempts, responseStatus, error } = delivery
  return (
    <li className="border-t border-line first:border-t-0">
      <button
        type="button"
        aria-current={isChosen || undefined}
        className={`grid min-h-[52px] w-full grid-cols-[110px_minmax(0,1fr)_auto] items-center gap-2 px-4 text-left text-sm ${isChosen ? 'arm bg-way text-on-way' : 'hover:bg-sunk'}`}
        onClick={onChoose}
      >
        <DeliveryStatus status={status} isPlain={isChosen} />
        <span className="truncate font-mono">{eventType}</span>
        <span className="text-right text-xs">
          {formatClock(createdAt)}
          <span className={`block ${isChosen ? '' : 'text-soft'}`}>
            {text.webhooks.attempt(attempts, maxAttempts)}
            {(responseStatus ?? error) !== null && `, ${responseStatus ?? error}`}
          </span>
        </span>
      </button>
    </li>
  )
}

/** Queues every dead letter of an endpoint again. */
function RetryAll({ endpointId }: { endpointId: string }) {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  const mayManage = useMay('admin')
  const retry = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/webhooks/deliveries/retry', {
          body: { endpointId, status: 'dead_letter' } as never,
        }),
      ),
    onSuccess: async () => {
      showToast(text.webhooks.retried)
      await queryClient.invalidateQueries({ queryKey: [id, 'deliveries'] })
    },
    onError: (error) => showToast(error.message, { isError: true }),
  })
  if (!mayManage) return null
  return (
    <Button icon="rotate-ccw" isBusy={retry.isPending} onClick={() => retry.mutate()}>
      {text.webhooks.retryAll}
    </Button>
  )
}
