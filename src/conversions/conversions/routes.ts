import { SIZES } from '../../platform/limits/sizes.ts'
import { route } from '../../platform/routes/route.ts'
import type { Conversions } from './conversions.ts'
import { TrackedLead, TrackedSale, TrackLead, TrackSale } from './dub.ts'
import { RecordConversions, RecordedAnswer, RecordMeta } from './schema.ts'

const writes = {
  requires: { credential: 'any', role: 'member', scope: 'conversions:write' },
  idempotent: true,
  tier: 'ingestion',
  status: 202,
} as const
const tag = 'Conversions'
/** A hundred conversions with the most metadata and customer data. */
const limits = { bodyBytes: SIZES.bulkBody.bytes, keys: 100_000, items: 100_000 }

export const conversionRoutes = (conversions: Conversions) => [
  route('POST /conversions', {
    ...writes,
    name: 'recordConversions',
    summary: 'Report conversions',
    description:
      'Stores one conversion, or a list of up to 100 of which each fails alone, and attributes it to a link. The same event is stored once, however late it is sent again. It waits up to ten minutes for a click that is not known yet.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag,
    limits,
    shapes: { body: RecordConversions, reply: RecordedAnswer, meta: RecordMeta },
    handle: (principal, { body }) => conversions.record(principal, body),
  }),
  route('POST /track/lead', {
    ...writes,
    name: 'trackLead',
    summary: 'Report a lead with the field names of Dub',
    description: 'Like `POST /conversions` with the type `lead`, with the field names of Dub.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { body: TrackLead, reply: TrackedLead },
    handle: (principal, { body }) => conversions.trackLead(principal, body),
  }),
  route('POST /track/sale', {
    ...writes,
    name: 'trackSale',
    summary: 'Report a sale with the field names of Dub',
    description: 'Like `POST /conversions` with the type `sale`, with the field names of Dub.',
    errors: ['PLAN_CAPABILITY_REQUIRED'],
    tag,
    shapes: { body: TrackSale, reply: TrackedSale },
    handle: (principal, { body }) => conversions.trackSale(principal, body),
  }),
]
