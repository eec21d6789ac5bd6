import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatClock, formatDuration } from '../kit/format.ts'
import { JsonView } from '../kit/json-view.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { deliveryQuery } from './queries.ts'

type Detail = Schemas['WebhookDeliveryDetail']
type Attempt = Schemas['WebhookAttempt']

/** The time after which an attempt is given up: the whole width of a bar. */
const SCALE_MS = 10_000

/** One delivery: every attempt on one scale of time, then the request and the answer of the chosen one. */
export function DeliveryDetail({
  deliveryId,
  onClose,
}: {
  deliveryId: string
  onClose: () => void
}) {
  const { id } = useWorkspace()
  const delivery = useQuery(deliveryQuery(id, deliveryId))
  const [chosen, setChosen] = useState<number | null>(null)
  if (delivery.error)
    return <ErrorNote error={delivery.error} onRetry={() => void delivery.refetch()} />
  if (!delivery.data) return <Skeleton rows={6} />
  const { attemptLog } = delivery.data
  const attempt = attemptLog.find((each) => each.attempt === chosen) ?? attemptLog.at(-1)
  return (
    <div className="flex flex-col gap-4">
      <Head delivery={delivery.data} onClose={onClose} />
      <table className="w-full text-sm">
        <thead className="text-left text-soft">
          <tr>
            <th scope="col">{text.webhooks.attemptAt}</th>
            <th scope="col">{text.webhooks.answer}</th>
            <th scope="col" className="text-right">
              {text.webhooks.took}
            </th>
          </tr>
        </thead>
        <tbody>
          {attemptLog.map((each) => (
            <AttemptRow
              key={each.attempt}
              attempt={each}
              isChosen={each === attempt}
              onChoose={() => setChosen(each.attempt)}
            />
          ))}
        </tbody>
      </table>
      {attempt && <AttemptAnswer attempt={attempt} />}
      <Request delivery={delivery.data} />
    </div>
  )
}

function Head({ delivery, onClose }: { delivery: Detail; onClose: () => void }) {
  const { id } = useWorkspace()
  const mayManage = useMay('admin')
  const queryClient = useQueryClient()
  const retry = useMutation({
    mutationFn: () =>
      dataOf(
        api.POST('/webhooks/deliveries/{deliveryId}/retry', {
          params: { path: { deliveryId: delivery.id } },
        }),
      ),
    onSuccess: async () => {
      showToast(text.webhooks.retried)
      await queryClient.invalidateQueries({ queryKey: [id] })
    },
  })
  const canRetry = delivery.status === 'failed' || delivery.status === 'dead_letter'
  return (
    <header className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <span className="lg:hidden">
          <IconButton icon="arrow-left" label={text.actions.back} onClick={onClose} />
        </span>
        <h3 className="font-mono text-base font-semibold">{delivery.eventType}</h3>
        <DeliveryStatus status={delivery.status} />
        <span className="ml-auto" />
        {mayManage && canRetry && (
          <Button
            look="primary"
            icon="rotate-ccw"
            isBusy={retry.isPending}
            onClick={() => retry.mutate()}
          >
            {text.webhooks.retry}
          </Button>
        )}
      </div>
      <p className="text-sm text-soft">{text.webhooks.explain[delivery.status]}</p>
      <ErrorNote error={retry.error} />
    </header>
  )
}

function AttemptRow({
  attempt,
  isChosen,
  onChoose,
}: {
  attempt: Attempt
  isChosen: boolean
  onChoose: () => void
}) {
  const { at, responseStatus, durationMs, error } = attempt
  const isGood = responseStatus !== null && responseStatus >= 200 && responseStatus < 300
  const width = Math.max(1, Math.min(100, (100 * (durationMs ?? 0)) / SCALE_MS))
  return (
    <tr className={isChosen ? 'bg-sunk' : undefined}>
      <td>
        <button
          type="button"
          aria-pressed={isChosen}
          className="min-h-9 font-mono text-sm underline decoration-line underline-offset-4 max-md:min-h-11"
          onClick={onChoose}
        >
          {formatClock(at)}
        </button>
      </td>
      <td className="w-1/2">
        <span className="flex items-center gap-2">
          {responseStatus === null && error === null && text.webhooks.noAnswer}
          <svg aria-hidden="true" width="40%" height="10" className="shrink-0">
            <rect width="100%" height="10" className="fill-sunk" />
            <rect width={`${width}%`} height="10" className={isGood ? 'fill-ok' : 'fill-stop'} />
          </svg>
          <span className="break-words">
            {responseStatus !== null && <b>{responseStatus}</b>} {error}
          </span>
        </span>
      </td>
      <td className="text-right font-mono whitespace-nowrap">
        {durationMs === null ? '' : formatDuration(durationMs)}
      </td>
    </tr>
  )
}

function AttemptAnswer({ attempt }: { attempt: Attempt }) {
  return (
    <section>
      <h4 className="text-sm font-semibold">{text.webhooks.answerOf(attempt.attempt)}</h4>
      <Headers headers={attempt.responseHeaders} />
      {attempt.responseBody ? (
        <JsonView text={attempt.responseBody} />
      ) : (
        <p className="text-sm text-soft">{text.webhooks.noBody}</p>
      )}
    </section>
  )
}

function Request({ delivery: { requestHeaders, requestBody, payload } }: { delivery: Detail }) {
  const body = requestBody ?? JSON.stringify(payload)
  return (
    <section>
      <div className="flex items-center justify-between">
        <h4 className="text-sm font-semibold">{text.webhooks.request}</h4>
        <CopyIcon value={body} label={text.webhooks.copyBody} />
      </div>
      <Headers headers={requestHeaders} />
      <JsonView text={body} />
    </section>
  )
}

function Headers({ headers }: { headers: Record<string, string> | null }) {
  if (!headers) return null
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 py-2 font-mono text-xs">
      {Object.entries(headers).map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
