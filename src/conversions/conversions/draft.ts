import { newId, timeOfUlid } from '../../platform/core/ids.ts'
import { invalid, itHas } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  parseClickId,
  type NamedClick,
  type SignClick,
} from '../../platform/facts/click-identity.ts'
import { checkCurrency, checkName } from '../../platform/resources/field-checks.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { NAME_MAX_CHARS, type NewConversion, type TYPES } from './schema.ts'

const JSON_MAX_CHARS = 10_000
/** Time that the clock of a client may be ahead. */
const CLOCK_SKEW_MS = 10 * 60_000
const DEFAULT_CURRENCY = 'usd'

export type Draft = {
  id: string
  eventId: string
  repeatKey: string | null
  eventName: string
  type: (typeof TYPES)[number]
  value: number
  currency: string
  customerId: string | null
  customer: Record<string, unknown> | null
  metadata: Record<string, unknown> | null
  occurredAt: Date
  receivedAt: Date
  /** Null without a `clickId`; `unknown` for one that is not an id of any click. */
  click: NamedClick | 'unknown' | null
  link: NamedLink | null
}

export type NamedLink = { id: string } | { slug: string; domain: string | null }

export function toDraft(
  principal: Principal,
  input: NewConversion,
  { nowMs, sign, index }: { nowMs: number; sign: SignClick; index: number },
): Draft {
  const id = newId('cnv', nowMs)
  const { eventId = null, invoiceId = null, value = null } = input
  const type = input.type ?? (value === null && invoiceId === null ? 'custom' : 'sale')
  const customerId = input.customerId ?? input.externalId ?? null
  const draft = {
    id,
    eventId: eventId ?? id,
    eventName: checkName(input.eventName, 'eventName', NAME_MAX_CHARS),
    type,
    value: value ?? 0,
    currency: checkCurrency(input.currency ?? DEFAULT_CURRENCY, 'currency'),
    customerId,
    customer: checkJson(input.customer ?? null, 'customer'),
    metadata: checkJson(input.metadata ?? null, 'metadata'),
    occurredAt: toOccurredAt(input.occurredAt ?? null, nowMs),
    receivedAt: new Date(nowMs),
    click: toClick(sign, input.clickId ?? null, nowMs),
    link: toLink(input),
  }
  const repeatKey = eventId === null ? toRepeatKey(principal, { ...draft, invoiceId }, index) : null
  return { ...draft, repeatKey }
}

/** The key of a lead becomes free again after some days; the others are kept forever. */
export function isOfLead(repeatKey: string): boolean {
  return repeatKey.startsWith(LEAD)
}
const LEAD = 'lead:'

function toRepeatKey(
  { idempotencyKey }: Principal,
  {
    type,
    customerId,
    eventName,
    invoiceId,
  }: Pick<Draft, 'type' | 'customerId' | 'eventName'> & {
    invoiceId: string | null
  },
  index: number,
): string | null {
  if (idempotencyKey) return `key:${idempotencyKey.id}:${index}`
  if (type === 'lead' && customerId !== null)
    return `${LEAD}${JSON.stringify([customerId, eventName])}`
  return type === 'sale' && invoiceId !== null ? `invoice:${invoiceId}` : null
}

function checkJson<Value extends object | null>(value: Value, path: string): Value {
  const { length } = JSON.stringify(value)
  if (length > JSON_MAX_CHARS)
    throw invalid(
      path,
      `${path} must have at most ${JSON_MAX_CHARS} characters as JSON${itHas(path, length)}.`,
    )
  return value
}

function toOccurredAt(text: string | null, nowMs: number): Date {
  if (text === null) return new Date(nowMs)
  const at = toDate(text, 'occurredAt')
  if (at.getTime() > nowMs + CLOCK_SKEW_MS)
    throw invalid('occurredAt', 'occurredAt must not be in the future.')
  return at
}

/** No click has an id from the future. */
function toClick(sign: SignClick, text: string | null, nowMs: number): Draft['click'] {
  if (text === null) return null
  const named = parseClickId(sign, text)
  return named && timeOfUlid(named.clickId) <= nowMs + CLOCK_SKEW_MS ? named : 'unknown'
}

function toLink({ linkId = null, slug = null, domain = null }: NewConversion): NamedLink | null {
  if (linkId !== null) return { id: linkId }
  return slug === null ? null : { slug, domain }
}
