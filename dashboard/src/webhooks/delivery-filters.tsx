import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { INPUT } from '../kit/field.tsx'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Arm } from '../kit/layout.tsx'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { withoutScheme } from '../kit/url.ts'
import { nameOfStatus, RESPONSE_STATUSES } from './response-statuses.ts'
import { text } from '../text/webhooks.ts'
import { EVENT_TYPES } from './events.ts'
import type { Endpoint } from './queries.ts'
import {
  isFiltered,
  NO_FILTERS,
  PERIODS,
  type ChangeSearch,
  type DeliverySearch,
} from './search.ts'

const OWN = 'own'

type Props = {
  search: DeliverySearch
  endpoints: readonly Endpoint[]
  onChange: ChangeSearch
}

/** Everything by which the API filters deliveries; the status has its tabs. */
export function DeliveryFilters({ search, endpoints, onChange }: Props) {
  const texts = text.deliveries
  const { endpointId, eventType, responseStatus } = search
  const answers = new Set<number>([
    ...RESPONSE_STATUSES,
    ...(responseStatus ? [responseStatus] : []),
  ])
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <FilterSelect
        label={texts.endpoint}
        any={texts.anyEndpoint}
        value={endpointId}
        options={endpoints.map(({ id, url }) => ({ value: id, label: withoutScheme(url) }))}
        onValue={(value) => onChange({ endpointId: value })}
      />
      <FilterSelect
        label={texts.eventType}
        any={texts.anyEvent}
        value={eventType}
        options={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
        onValue={(value) => onChange({ eventType: value })}
      />
      <PeriodChoice search={search} onChange={onChange} />
      <FilterSelect
        label={texts.responseStatus}
        any={texts.anyAnswer}
        value={responseStatus === undefined ? undefined : String(responseStatus)}
        options={[...answers].map((status) => ({
          value: String(status),
          label: nameOfStatus(status),
        }))}
        onValue={(value) => onChange({ responseStatus: value ? Number(value) : undefined })}
      />
      <EventIdField key={search.eventId ?? ''} search={search} onChange={onChange} />
      {isFiltered(search) && (
        <Button look="quiet" onClick={() => onChange(NO_FILTERS)}>
          {texts.clearFilters}
        </Button>
      )}
    </div>
  )
}

/** A period until now, or one between two times of the user's zone. */
function PeriodChoice({ search, onChange }: Omit<Props, 'endpoints'>) {
  const { periods } = text.deliveries
  const [isOwn, setOwn] = useState(false)
  const hasTimes = search.from !== undefined || search.to !== undefined
  const value = search.within ?? (isOwn || hasTimes ? OWN : undefined)
  const time = (name: 'from' | 'to') => (
    <input
      type="datetime-local"
      aria-label={text.deliveries[name]}
      className={`${INPUT} w-auto! text-sm! max-md:w-full!`}
      value={toLocalTime(search[name] ?? null)}
      onChange={(event) => onChange({ [name]: fromLocalTime(event.target.value) ?? undefined })}
    />
  )
  return (
    <>
      <FilterSelect
        label={text.deliveries.period}
        any={periods.any}
        value={value}
        options={([...PERIODS, OWN] as const).map((each) => ({
          value: each,
          label: periods[each],
        }))}
        onValue={(chosen) => {
          setOwn(chosen === OWN)
          const within = chosen === OWN ? undefined : chosen
          onChange({ within, from: undefined, to: undefined })
        }}
      />
      {value === OWN && (
        <>
          {time('from')}
          {time('to')}
        </>
      )}
    </>
  )
}

/** The id of one event; while it filters, an arm names it. */
function EventIdField({ search: { eventId }, onChange }: Omit<Props, 'endpoints'>) {
  const [typed, setTyped] = useState('')
  if (eventId)
    return (
      <Arm className="max-w-full">
        <span className="max-w-60 min-w-0 truncate">
          {text.deliveries.eventId} <b className="font-mono font-semibold">{eventId}</b>
        </span>
        <IconButton
          icon="x"
          label={text.actions.removeFilter(text.deliveries.eventId)}
          className="size-7! shrink-0 max-md:size-11!"
          onClick={() => onChange({ eventId: undefined })}
        />
      </Arm>
    )
  return (
    <form
      role="search"
      className="w-44 max-md:w-auto max-md:flex-1 max-md:basis-[45%]"
      onSubmit={(event) => {
        event.preventDefault()
        onChange({ eventId: typed.trim() || undefined })
      }}
    >
      <input
        type="search"
        aria-label={text.deliveries.eventIdHint}
        placeholder={text.deliveries.eventIdHint}
        className={`${INPUT} text-sm!`}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => typed.trim() && onChange({ eventId: typed.trim() })}
      />
    </form>
  )
}
