import { EVENT_TYPES, type EventType } from './events.ts'

export const STATUSES = ['dead_letter', 'failed', 'pending', 'processing', 'completed'] as const
export type Status = (typeof STATUSES)[number]

export const PERIODS = ['1h', '24h', '7d'] as const
export type Period = (typeof PERIODS)[number]
const HOUR_MS = 3_600_000
export const PERIOD_MS: Record<Period, number> = {
  '1h': HOUR_MS,
  '24h': 24 * HOUR_MS,
  '7d': 7 * 24 * HOUR_MS,
}

/** Actions on an endpoint that have a drawer or a popup. */
export const ENDPOINT_POPUPS = ['edit', 'test', 'secret', 'replay', 'delete'] as const
export type EndpointPopup = (typeof ENDPOINT_POPUPS)[number]
const PAGE_POPUPS = ['new', 'dispatch', 'retry', ...ENDPOINT_POPUPS] as const

/** Filters of the listed deliveries, the open one, and the popup. */
export type DeliverySearch = {
  endpointId?: string | undefined
  status?: Status | undefined
  eventType?: EventType | undefined
  eventId?: string | undefined
  responseStatus?: number | undefined
  /** A period until now; otherwise `from` and `to`. */
  within?: Period | undefined
  from?: string | undefined
  to?: string | undefined
  delivery?: string | undefined
  open?: (typeof PAGE_POPUPS)[number] | undefined
  /** The endpoint of the popup. */
  on?: string | undefined
}

export function readDeliverySearch(search: Record<string, unknown>): DeliverySearch {
  const one = <T extends string>(values: readonly T[], value: unknown) =>
    values.find((each) => each === value)
  return withoutAbsent({
    endpointId: textOf(search.endpointId),
    status: one(STATUSES, search.status),
    eventType: one(EVENT_TYPES, search.eventType),
    eventId: textOf(search.eventId),
    responseStatus: statusOf(search.responseStatus),
    within: one(PERIODS, search.within),
    from: timeOf(search.from),
    to: timeOf(search.to),
    delivery: textOf(search.delivery),
    open: one(PAGE_POPUPS, search.open),
    on: textOf(search.on),
  })
}

export type EndpointSearch = { open?: EndpointPopup | undefined }

export function readEndpointSearch({ open }: Record<string, unknown>): EndpointSearch {
  return withoutAbsent({ open: ENDPOINT_POPUPS.find((each) => each === open) })
}

/** Changes a part of the address; `replace` leaves no entry in the browser's history. */
export type ChangeSearch = (part: Partial<DeliverySearch>, replace?: boolean) => void

/** Removes all filters from the address, and leaves the open delivery and the popup. */
export const NO_FILTERS = {
  endpointId: undefined,
  status: undefined,
  eventType: undefined,
  eventId: undefined,
  responseStatus: undefined,
  within: undefined,
  from: undefined,
  to: undefined,
} as const satisfies DeliverySearch

export function isFiltered(search: DeliverySearch): boolean {
  return Object.keys(NO_FILTERS).some((name) => search[name as keyof DeliverySearch] !== undefined)
}

/** The filters of a request, without the status; a period until now begins before `nowMs`. */
export function toFilter(search: DeliverySearch, nowMs: number) {
  const { endpointId, eventType, eventId, responseStatus, within, to } = search
  const from = within ? new Date(nowMs - PERIOD_MS[within]).toISOString() : search.from
  return withoutAbsent({
    endpointId,
    eventType,
    eventId,
    responseStatus,
    from,
    to: within ? undefined : to,
  })
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function withoutAbsent<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

function statusOf(value: unknown): number | undefined {
  const status = Number(value)
  return Number.isInteger(status) && status >= 100 && status <= 599 ? status : undefined
}

function timeOf(value: unknown): string | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : NaN
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString()
}
