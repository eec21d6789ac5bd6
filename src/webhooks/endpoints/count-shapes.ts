import { Type, type Static } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { STATUS_NAMES } from '../delivery/queue/states.ts'
import {
  fieldsOf,
  integer,
  nullable,
  oneOf,
  PageQuery,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { Endpoint, ListDeliveries } from './schema.ts'

export const EndpointStats = object('WebhookEndpointStats', {
  from: described(Timestamp, 'Start of the first hour.'),
  to: described(Timestamp, 'End of the present hour.', '2026-01-02T00:00:00.000Z'),
  delivered: integer('Attempts that succeeded.', 120),
  failed: integer('Attempts that failed; a delivery may have several.', 3),
  p50Ms: nullable(
    integer(
      'Half of the answers took at most this long, in milliseconds, interpolated from counts; null without an answer.',
      84,
    ),
  ),
  p99Ms: nullable(integer('99 of 100 answers took at most this long.', 410)),
  failureCount: Endpoint.properties.failureCount,
  lastFailureAt: Endpoint.properties.lastFailureAt,
  lastSuccessAt: Endpoint.properties.lastSuccessAt,
  hours: described(
    Type.Array(
      object('WebhookEndpointHour', {
        start: described(Timestamp, 'Start of the hour, in UTC.'),
        delivered: integer('Attempts that succeeded.', 5),
        failed: integer('Attempts that failed.', 0),
      }),
    ),
    'The 24 hours, the oldest first.',
  ),
})
export type EndpointStats = Static<typeof EndpointStats>

export const ListedEndpoint = object('ListedWebhookEndpoint', {
  ...Endpoint.properties,
  stats: Type.Optional(described(EndpointStats, 'With `stats=24h` in the query.')),
})

export const ListEndpoints = Type.Object({
  ...PageQuery,
  stats: Type.Optional(
    oneOf(['24h'], 'Adds to each endpoint its attempts of the last 24 hours.', '24h'),
  ),
})
export type ListEndpoints = Static<typeof ListEndpoints>

export const CountDeliveries = Type.Omit(ListDeliveries, ['status', 'limit', 'offset'])
export type CountDeliveries = Static<typeof CountDeliveries>

export const DeliveryCounts = object('WebhookDeliveryCounts', {
  total: integer('Deliveries that the filters match.', 123),
  ...fieldsOf(STATUS_NAMES, (status) => integer(`Those with the status \`${status}\`.`, 1))
    .properties,
})
export type DeliveryCounts = Static<typeof DeliveryCounts>
