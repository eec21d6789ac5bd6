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

type Body = Schemas['CreateWebhookEndpoint']

export function toBody(draft: EndpointDraft): Body {
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

/** The fields that the user has changed. */
export function toChanges(draft: EndpointDraft, before: EndpointDraft): Partial<Body> {
  const [now, then] = [toBody(draft), toBody(before)]
  return Object.fromEntries(
    Object.entries(now).filter(([name, value]) => !isEqual(value, then[name as keyof Body])),
  )
}

export function isEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right)
}

/** The present endpoint with what the user has changed; where both changed a field, `keepsMine` decides. */
export function mergeDrafts(
  before: EndpointDraft,
  draft: EndpointDraft,
  theirs: EndpointDraft,
  keepsMine: boolean,
): EndpointDraft {
  const mine = Object.entries(draft).filter(([key, value]) => {
    const field = key as keyof EndpointDraft
    if (isEqual(value, before[field])) return false
    return keepsMine || isEqual(theirs[field], before[field])
  })
  return { ...theirs, ...Object.fromEntries(mine) }
}
