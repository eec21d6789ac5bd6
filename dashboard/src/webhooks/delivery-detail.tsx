import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { ExactTime, RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { useKeys } from '../kit/use-keys.ts'
import { text } from '../text/webhooks.ts'
import { AttemptAnswer, Attempts } from './attempts.tsx'
import { DeliveryRequest } from './delivery-request.tsx'
import { DeliveryStatus } from './delivery-status.tsx'
import { Fact } from '../kit/fact.tsx'
import { deliveryQuery, type DeliveryDetail as Detail, type Endpoint } from './queries.ts'
import { NO_FILTERS, type ChangeSearch } from './search.ts'

type Props = { deliveryId: string; endpoints: readonly Endpoint[]; onChange: ChangeSearch }

/** One delivery: every attempt on one scale of time, the answer to the chosen one, and the request. */
export function DeliveryDetail({ deliveryId, endpoints, onChange }: Props) {
  const { id } = useWorkspace()
  const delivery = useQuery(deliveryQuery(id, deliveryId))
  const [chosen, setChosen] = useState<number | null>(null)
  const close = () => onChange({ delivery: undefined })
  useHealthAfter(delivery.data?.attempts ?? 0)
  // On a narrow screen it takes the place of the list, which may be scrolled far down.
  useEffect(() => {
    if (!matchMedia('(min-width: 64rem)').matches) scrollTo(0, 0)
  }, [])
  if (!delivery.data)
    return (
      <>
        <span className="lg:hidden">
          <IconButton icon="arrow-left" label={text.actions.back} onClick={close} />
        </span>
        <ErrorNote error={delivery.error} onRetry={() => void delivery.refetch()} />
        {delivery.isPending && <Skeleton rows={6} />}
      </>
    )
  const { attemptLog, endpointId } = delivery.data
  const attempt = attemptLog.find((each) => each.attempt === chosen) ?? attemptLog.at(-1)
  const endpoint = endpoints.find((each) => each.id === endpointId)
  return (
    <div className="flex flex-col gap-4">
      <Head delivery={delivery.data} endpoint={endpoint} onClose={close} />
      <ErrorNote error={delivery.error} onRetry={() => void delivery.refetch()} />
      <Facts delivery={delivery.data} endpoint={endpoint} onChange={onChange} />
      <Attempts attempts={attemptLog} chosen={attempt} onChoose={setChosen} />
      {attempt && <AttemptAnswer attempt={attempt} />}
      <DeliveryRequest delivery={delivery.data} url={endpoint?.url} />
    </div>
  )
}

/** Reads the endpoints again after each attempt, which changes their health beside the delivery. */
function useHealthAfter(attempts: number): void {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  useEffect(() => {
    if (attempts > 0) void queryClient.invalidateQueries({ queryKey: [id, 'endpoints'] })
  }, [attempts, id, queryClient])
}

function Head({
  delivery,
  endpoint,
  onClose,
}: {
  delivery: Detail
  endpoint: Endpoint | undefined
  onClose: () => void
}) {
  const mayManage = useMay('admin')
  const params = { path: { deliveryId: delivery.id } }
  const retry = useAction(
    () => dataOf(api.POST('/webhooks/deliveries/{deliveryId}/retry', { params })),
    { showsErrors: true, told: () => text.deliveries.retried },
  )
  const { status, eventType } = delivery
  const canRetry = mayManage && (status === 'failed' || status === 'dead_letter')
  const isHeld = endpoint?.status === 'paused' && (status === 'pending' || status === 'failed')
  useKeys({ r: canRetry && !retry.isPending && (() => retry.mutate()) })
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <span className="lg:hidden">
          <IconButton icon="arrow-left" label={text.actions.back} onClick={onClose} />
        </span>
        <h2 className="font-mono text-base font-semibold break-all">{eventType}</h2>
        <DeliveryStatus status={status} />
        <span className="ms-auto" />
        {canRetry && (
          <Button
            look="primary"
            icon="rotate-ccw"
            hotkey="R"
            isBusy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {text.deliveries.retry}
          </Button>
        )}
      </div>
      <p className="text-sm text-soft" aria-live="polite">
        {isHeld ? text.deliveries.waitsForEndpoint : text.deliveries.explain[status]}
      </p>
      <ErrorNote error={retry.error} />
    </header>
  )
}

/** Endpoint, event and times of the delivery. */
function Facts({
  delivery: { id, endpointId, eventId, createdAt, completedAt, nextAttemptAt },
  endpoint,
  onChange,
}: {
  delivery: Detail
  endpoint: Endpoint | undefined
  onChange: ChangeSearch
}) {
  const { id: workspaceId } = useWorkspace()
  const texts = text.deliveries
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 text-sm">
      <Fact name={texts.endpoint}>
        <Link
          to="/$workspaceId/webhooks/$endpointId"
          params={{ workspaceId, endpointId }}
          className="font-mono break-all"
        >
          {endpoint?.url ?? endpointId}
        </Link>
      </Fact>
      <Fact name={texts.queuedAt}>
        <ExactTime at={createdAt} />
      </Fact>
      {completedAt && (
        <Fact name={texts.completedAt}>
          <ExactTime at={completedAt} />
        </Fact>
      )}
      {nextAttemptAt && (
        <Fact name={texts.nextAttempt}>
          <RelativeTime at={nextAttemptAt} />
        </Fact>
      )}
      <Fact name={texts.id}>
        <span className="flex items-center gap-1">
          <span className="font-mono break-all">{id}</span>
          <CopyIcon value={id} label={texts.copyId} />
        </span>
      </Fact>
      <Fact name={texts.event}>
        <span className="flex flex-wrap items-center gap-1">
          <span className="flex items-center gap-1">
            <span className="font-mono break-all">{eventId}</span>
            <CopyIcon value={eventId} label={texts.copyEventId} />
          </span>
          <Button look="quiet" icon="list" onClick={() => onChange({ ...NO_FILTERS, eventId })}>
            {texts.sameEvent}
          </Button>
        </span>
      </Fact>
    </dl>
  )
}
