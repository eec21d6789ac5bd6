import { TIMES } from '../../base/limits/times.ts'
import { Type } from 'typebox'
import { route } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { ClickEventShape, EventsMeta, EventsQuery, ExportQuery } from './events-schema.ts'
import { listConversions } from './conversion-list.ts'
import { ConversionRow, ConversionsMeta, ConversionsQuery } from './conversions-schema.ts'
import { listEvents, type EventDeps } from './events.ts'
import { ClickExports } from './export.ts'

const common = {
  requires: { credential: 'any', role: 'viewer', scope: 'analytics:read' },
  boundsOwnWork: true,
  tag: 'Analytics',
} as const

/** A part of an export may wait for those of others. */
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
      handle: (who: Who, { query }, signal) => listEvents(deps, who, query, signal),
    }),
    route('GET /analytics/conversions', {
      ...common,
      name: 'listConversions',
      summary: 'The log of conversions',
      description:
        'Conversions that happened in the period, newest first, each with the reason of its attribution. Those that wait for their click, or have none, are among them.',
      shapes: { query: ConversionsQuery, reply: Type.Array(ConversionRow), meta: ConversionsMeta },
      handle: (who: Who, { query }, signal) => listConversions(deps, who, query, signal),
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
      handle: (who: Who, { query }, signal) => exports.start(who, query, signal),
    }),
  ]
}
