import type { Schemas } from '../api/client.ts'
import type { EventName } from './event-choice.tsx'
import type { Endpoint } from './queries.ts'

export type HeaderDraft = {
  id: number
  name: string
  value: string
  /** The server has a value and does not show it; typing one replaces it. */
  isKept: boolean
}

export type EndpointDraft = {
  url: string
  description: string
  events: readonly EventName[]
  failureEmail: string
  disableAfterHours: string
  standardHeaders: boolean
  headers: readonly HeaderDraft[]
}

/** Stands for a stored value, in answers and in changes. */
const KEEP = '********'

export const EMPTY_ENDPOINT: EndpointDraft = {
  url: '',
  description: '',
  events: ['*'],
  failureEmail: '',
  disableAfterHours: '',
  standardHeaders: false,
  headers: [],
}

export function draftOf(endpoint: Endpoint): EndpointDraft {
  const { url, description, events, failureEmail, disableAfterHours } = endpoint
  return {
    url,
    description: description ?? '',
    events,
    failureEmail: failureEmail ?? '',
    disableAfterHours: disableAfterHours === null ? '' : String(disableAfterHours),
    standardHeaders: endpoint.standardHeaders,
    headers: Object.keys(endpoint.headers).map((name, id) => ({
      id,
      name,
      value: '',
      isKept: true,
    })),
  }
}

export function toBody(draft: EndpointDraft): Schemas['CreateWebhookEndpoint'] {
  const { url, description, events, failureEmail, disableAfterHours, standardHeaders } = draft
  const named = draft.headers.filter(({ name }) => name.trim() !== '')
  return {
    url: url.trim(),
    events: [...events],
    description: description.trim() || null,
    failureEmail: failureEmail.trim() || null,
    disableAfterHours: disableAfterHours.trim() === '' ? null : Number(disableAfterHours),
    standardHeaders,
    headers: Object.fromEntries(
      named.map(({ name, value, isKept }) => [
        name.trim(),
        isKept && value === '' ? KEEP : value.trim(),
      ]),
    ),
  }
}
