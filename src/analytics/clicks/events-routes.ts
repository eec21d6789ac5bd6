import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { ClickEventShape, EventsMeta, EventsQuery, ExportQuery } from './events-schema.ts'
import { listConversions } from '../answers/conversion-list.ts'
import { ConversionRow, ConversionsMeta, ConversionsQuery } from '../answers/conversions-schema.ts'
import { listEvents, type EventDeps } from './events.ts'
import { ClickExports } from './export.ts'

const common = {
  requires: { credential: 'any', role: 'viewer', scope: 'analytics:read' },
  skipConcurrencyLimit: true,
  tag: 'Analytics',
} as const

/** A part of an export may wait for other exports. */
const PART_MS = TIMES.exportPart.ms

export const eventRoutes = (deps: EventDeps) => {
  const exports = new ClickExports(deps)
  return [
    route('GET /analytics/events', {
      ...common,
      name: 'listClicks',
      summary: 'The log of clicks',
      description:
        'Single clicks of the period, newest first, with the data of click.received. Clicks of months that were folded into daily counts are not in it.',
      shapes: { query: EventsQuery, reply: Type.Array(ClickEventShape), meta: EventsMeta },
      handle: (principal: Principal, { query }, signal) =>
        listEvents(deps, principal, query, signal),
    }),
    route('GET /analytics/conversions', {
      ...common,
      name: 'listConversions',
      summary: 'The log of conversions',
      description:
        'Conversions that happened in the period, newest first, each with the reason of its attribution. Those that wait for their click, or have none, are among them.',
      shapes: { query: ConversionsQuery, reply: Type.Array(ConversionRow), meta: ConversionsMeta },
      handle: (principal: Principal, { query }, signal) =>
        listConversions(deps, principal, query, signal),
    }),
    route('GET /analytics/export', {
      ...common,
      isLongLived: true,
      name: 'exportClicks',
      summary: 'Export clicks as CSV or JSON',
      description:
        'Sends all clicks of the period, oldest first, while they are read. A visitor has one pseudonym in an export, and another one in the next. One export of a workspace runs at a time.',
      limits: { timeoutMs: PART_MS },
      sends: ['text/csv', 'application/json'],
      shapes: { query: ExportQuery },
      handle: (principal: Principal, { query }, signal) => exports.start(principal, query, signal),
    }),
  ]
}
