import { Type } from 'typebox'
import { described } from '../base/shape.ts'
import { ClickReceived } from './click-shapes.ts'
import { clicksStep } from './purge-steps.ts'
import type { Resource } from './resource.ts'
import { idShape, text, Timestamp } from './shapes.ts'

/*
 * Declarations without routes: clicks, and resources that only have their scopes and events yet. When
 * such a resource gets routes, its declaration moves to `<noun>/resource.ts`.
 */

const linkId = idShape('lnk', 'Id of the link.')
const slug = text('The path of its short URL.', 'spring-sale')
const completed = text('Always `completed`.', 'completed')
const noun = (name: string) => ({
  read: `read ${name}`,
  write: `create, change and delete ${name}`,
})

export const clicks = {
  events: {
    'click.received': {
      label: 'Click received',
      description: 'A link of the workspace was clicked.',
      data: ClickReceived,
    },
  },
  purge: [clicksStep],
} as const satisfies Resource

const anyObject = (says: string) =>
  described(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    says,
    null,
  )

const ConversionReceived = Type.Object({
  id: idShape('cnv', 'Id of the conversion.'),
  eventId: text('Your own id of it.', 'order-1'),
  eventName: text('Your name of it.', 'Purchase'),
  type: text('Kind of conversion.', 'sale'),
  value: described(Type.Integer(), 'Its value in the smallest unit of the currency.', 4900),
  currency: text('ISO currency.', 'usd'),
  clickId: text('Id of the click that led to it.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  link: described(Type.Object({ id: linkId, slug }), 'The link of that click.'),
  customer: anyObject('The customer, as you sent it.'),
  metadata: anyObject('Data of your own.'),
  occurredAt: described(Timestamp, 'When it happened.'),
})

export const conversions = {
  events: {
    'conversion.received': {
      label: 'Conversion received',
      description: 'A conversion event arrived from a server.',
      data: ConversionReceived,
    },
  },
} as const satisfies Resource

const ReportGenerated = Type.Object({
  id: idShape('rep', 'Id of the report.'),
  name: text('Its name.', 'Clicks by month'),
  status: completed,
  downloadUrl: text('Where its file is.', 'https://links.example.com/v1/reports/rep_1/download'),
})

export const reports = {
  scopes: { reports: noun('reports') },
  events: {
    'report.generated': {
      label: 'Report generated',
      description: 'The export of a report is finished.',
      data: ReportGenerated,
    },
  },
} as const satisfies Resource

export const bioPages = { scopes: { 'bio-pages': noun('bio pages') } } as const satisfies Resource

export const ingestion = {
  scopes: {
    conversions: { write: 'send conversions' },
  },
} as const satisfies Resource
