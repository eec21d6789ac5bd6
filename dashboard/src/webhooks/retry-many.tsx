import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Skeleton } from '../kit/layout.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/webhooks.ts'
import { countsQuery, type Endpoint } from './queries.ts'
import { toFilter, type DeliverySearch } from './search.ts'

type Counts = Schemas['WebhookDeliveryCounts']

const KINDS = ['deadLetters', 'failed', 'both'] as const
type Kind = (typeof KINDS)[number]

/** Number of deliveries that can be retried, among those that the filters match. */
function countOf(counts: Counts, kind: Kind): number {
  if (kind === 'both') return counts.dead_letter + counts.failed
  return kind === 'failed' ? counts.failed : counts.dead_letter
}

/** The kind that the tab names, otherwise what was given up before what is retried by itself. */
function kindOf(counts: Counts, status: DeliverySearch['status']): Kind {
  if (status === 'failed' || (status === undefined && counts.dead_letter === 0)) return 'failed'
  return 'deadLetters'
}

export function RetryManyButton({
  search,
  onOpen,
}: {
  search: DeliverySearch
  onOpen: () => void
}) {
  const { id } = useWorkspace()
  const mayManage = useMay('admin')
  const counts = useQuery(countsQuery(id, search)).data
  if (!mayManage || !counts) return null
  const count = countOf(counts, kindOf(counts, search.status))
  if (count === 0) return null
  return (
    <Button icon="rotate-ccw" onClick={onOpen}>
      {text.deliveries.retryMany.button(count)}
    </Button>
  )
}

type Props = { search: DeliverySearch; endpoints: readonly Endpoint[]; onClose: () => void }

/** Number of deliveries that the filters select, and the retry of all of them. */
export function RetryManyPopup({ search, endpoints, onClose }: Props) {
  const { id } = useWorkspace()
  const counts = useQuery(countsQuery(id, search))
  const texts = text.deliveries.retryMany
  return (
    <Popup title={texts.title} onClose={onClose}>
      <p className="text-sm text-soft">{texts.explain}</p>
      <FilterFacts search={search} endpoints={endpoints} />
      <ErrorNote error={counts.error} onRetry={() => void counts.refetch()} />
      {counts.isPending && <Skeleton rows={2} />}
      {counts.data && <RetryForm search={search} counts={counts.data} onClose={onClose} />}
    </Popup>
  )
}

function FilterFacts({ search, endpoints }: Omit<Props, 'onClose'>) {
  const texts = text.deliveries
  const { endpointId, eventType, eventId, responseStatus, within, from, to } = search
  const rows = [
    [texts.endpoint, endpoints.find((each) => each.id === endpointId)?.url ?? endpointId],
    [texts.eventType, eventType],
    [texts.event, eventId],
    [texts.responseStatus, responseStatus],
    [texts.period, within && texts.periods[within]],
    [texts.from, within || !from ? undefined : formatDateTime(from)],
    [texts.to, within || !to ? undefined : formatDateTime(to)],
  ].filter(([, value]) => value !== undefined)
  if (rows.length === 0) return <p className="text-sm">{texts.retryMany.noFilter}</p>
  return (
    <dl
      aria-label={texts.retryMany.filter}
      className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 text-sm"
    >
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function RetryForm({
  search,
  counts: present,
  onClose,
}: {
  search: DeliverySearch
  counts: Counts
  onClose: () => void
}) {
  const texts = text.deliveries.retryMany
  // The user confirms the numbers that were shown, while deliveries go on in the background.
  const [counts] = useState(present)
  const [kind, setKind] = useState(() => kindOf(counts, search.status))
  const { run, done } = useRetryMany(search, kind, countOf(counts, kind), onClose)
  const count = countOf(counts, kind)
  if (countOf(counts, 'both') === 0) return <p className="text-sm">{texts.nothing}</p>
  return (
    <>
      <fieldset>
        <legend className="text-sm font-semibold">{texts.which}</legend>
        {KINDS.map((each) => (
          <label key={each} className="flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
            <input
              type="radio"
              name="kind"
              className="size-4 accent-lake"
              checked={kind === each}
              disabled={countOf(counts, each) === 0 || run.isPending}
              onChange={() => setKind(each)}
            />
            {texts[each](countOf(counts, each))}
          </label>
        ))}
      </fieldset>
      {run.isPending && (
        <p role="status" className="text-sm">
          {texts.progress(done, count)}
        </p>
      )}
      <ErrorNote error={run.error} onRetry={() => run.mutate()} />
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>{text.actions.cancel}</Button>
        <Button
          look="primary"
          icon="rotate-ccw"
          isBusy={run.isPending}
          disabled={count === 0}
          onClick={() => run.mutate()}
        >
          {texts.confirm(count)}
        </Button>
      </div>
    </>
  )
}

/** Retries in several calls, as many deliveries as the user has confirmed. */
function useRetryMany(search: DeliverySearch, kind: Kind, count: number, onClose: () => void) {
  const [filter] = useState(() => toFilter(search, Date.now()))
  const [done, setDone] = useState(0)
  const status = ({ deadLetters: 'dead_letter', failed: 'failed', both: undefined } as const)[kind]
  const retry = async () => {
    let queued = done
    for (;;) {
      const body = { ...filter, ...(status ? { status } : {}) }
      const { requeued, hasMore } = await dataOf(api.POST('/webhooks/deliveries/retry', { body }))
      queued += requeued
      setDone(queued)
      // Retries that have failed again would match once more, so the confirmed number is the limit.
      if (!hasMore || queued >= count) return queued
    }
  }
  const run = useAction(retry, {
    showsErrors: true,
    told: (queued) => text.deliveries.retryMany.done(queued),
    onDone: onClose,
  })
  return { run, done }
}
