import { Type, type TSchema } from 'typebox'
import { described, named } from '../../base/shape.ts'
import { catalogRow, EVENT_TYPES, type EventType } from '../../delivery/catalog.ts'
import { CreatedAt, idShape, nullable, text, Timestamp, UpdatedAt, WorkspaceId } from '../shapes.ts'

const known = (description: string, example: string) => nullable(text(description, example))
const linkId = idShape('lnk', 'Id of the link.')
const slug = text('The path of its short URL.', 'spring-sale')
const utm = (field: string) => nullable(text(`\`${field}\` of the click.`, 'newsletter'))
const completed = text('Always `completed`.', 'completed')

const ClickReceived = Type.Object({
  clickId: text('Id of the click.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  link: described(
    named(
      'ClickedLink',
      Type.Object({
        id: linkId,
        slug,
        shortUrl: text('Its whole short URL.', 'https://links.example.com/spring-sale'),
        domain: text('The host of the short URL.', 'links.example.com'),
      }),
    ),
    'The link that was clicked.',
  ),
  destinationUrl: text('The URL that the click was redirected to.', 'https://example.com/spring'),
  timestamp: described(Timestamp, 'When it was clicked.'),
  country: known('ISO country of the visitor.', 'DE'),
  region: known('Region of the visitor.', 'BY'),
  city: known('City of the visitor.', 'Munich'),
  continent: known('Continent of the visitor.', 'EU'),
  device: text('Kind of device.', 'desktop'),
  browser: text('Name of the browser.', 'Firefox'),
  os: text('Name of the operating system.', 'Linux'),
  referrer: text('Host of the page with the link; `direct` without one.', 'direct'),
  language: known('First language of the browser.', 'de'),
  trigger: text('`qr` for a scanned code, else `link`.', 'link'),
  utmSource: utm('utm_source'),
  utmMedium: utm('utm_medium'),
  utmCampaign: utm('utm_campaign'),
  utmTerm: utm('utm_term'),
  utmContent: utm('utm_content'),
})

const domainFields = {
  id: idShape('dom', 'Id of the domain.'),
  hostname: text('The host.', 'go.example.com'),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
}
const DomainVerified = Type.Object({
  ...domainFields,
  status: text('Always `verified`.', 'verified'),
  verifiedAt: described(Timestamp, 'When it was verified.'),
})
const DomainFailed = Type.Object({
  ...domainFields,
  status: text('Always `failed`.', 'failed'),
  failureReason: text('Why the verification failed.', 'not_found'),
})

const anyObject = (description: string) =>
  described(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    description,
    null,
  )

const ConversionReceived = Type.Object({
  id: idShape('cnv', 'Id of the conversion.'),
  eventId: text('Your id of the conversion.', 'order-1'),
  eventName: text('Your name of the event.', 'Purchase'),
  type: text('Kind of conversion.', 'sale'),
  value: described(Type.Integer(), 'Its value in the smallest unit of the currency.', 4900),
  currency: text('ISO currency.', 'usd'),
  clickId: text('Id of the click that led to it.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  link: described(Type.Object({ id: linkId, slug }), 'The link of that click.'),
  customer: anyObject('The customer, as you sent it.'),
  metadata: anyObject('Your own data.'),
  occurredAt: described(Timestamp, 'When it happened.'),
})

const CampaignCompleted = Type.Object({
  id: idShape('cmp', 'Id of the campaign.'),
  name: text('Its name.', 'Spring'),
  status: completed,
  completedAt: described(Timestamp, 'When it was completed.'),
})

const ReportGenerated = Type.Object({
  id: idShape('rep', 'Id of the report.'),
  name: text('Its name.', 'Clicks by month'),
  status: completed,
  downloadUrl: text('Where its file is.', 'https://links.example.com/v1/reports/rep_1/download'),
})

const SubscriptionUpdated = Type.Object({
  plan: text('The plan of the workspace from now on.', 'pro'),
  previousPlan: text('Its plan before.', 'free'),
  status: text('State of the subscription.', 'active'),
  currentPeriodEnd: nullable(described(Timestamp, 'When the paid period ends.')),
})

/** The shape of each type's data. @param Link the shape of a link in the API */
function dataShapes(Link: TObject): Record<EventType, TObject> {
  const { password: _password, ...shown } = Link.properties
  const LinkUpdated = Type.Object({
    ...shown,
    changes: described(Type.Array(Type.String()), 'The fields that changed.', ['destinationUrl']),
    previous: described(
      Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true }),
      'Their values before.',
      { destinationUrl: 'https://example.com/old' },
    ),
  })
  const LinkSnapshot = named('LinkSnapshot', Type.Object(shown))
  return {
    'link.created': LinkSnapshot,
    'link.updated': LinkUpdated,
    'link.deleted': LinkSnapshot,
    'domain.verified': DomainVerified,
    'domain.failed': DomainFailed,
    'click.received': ClickReceived,
    'conversion.received': ConversionReceived,
    'campaign.completed': CampaignCompleted,
    'report.generated': ReportGenerated,
    'billing.subscription.updated': SubscriptionUpdated,
  }
}

/** The body of a delivery of this type (src/delivery/request.ts writes it). */
function bodyShape(type: EventType, data: TSchema): TSchema {
  const name = type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())
  return named(
    `${name}Event`,
    Type.Object({
      id: text(
        'Id of the delivery, the same for all of its attempts: de-duplicate by it.',
        'del_0123456789abcdef0123456789abcdef',
      ),
      type: described(Type.Literal(type), 'The type of the event.'),
      workspaceId: WorkspaceId,
      endpointId: idShape('whe', 'Id of the endpoint.'),
      attempt: described(Type.Integer(), 'The number of the attempt, from 1.', 1),
      createdAt: described(Timestamp, 'When it happened, or was queued again.'),
      data: described(data, 'What happened.'),
    }),
  )
}

const SIGNATURE = 't=1767225600,v1=522b9fef0c5c2a9d11c5eb76997c3421599d579bfc673422ad1644590961e617'

const header = (name: string, description: string, example: string, isAlways = true) => ({
  name,
  description,
  example,
  isAlways,
})

/** The headers of a delivery (src/delivery/request.ts, src/delivery/signature.ts). */
const toHeaders = (type: EventType) => [
  header('x-service-event', 'The type of the event.', type),
  header('x-service-event-id', 'Id of the event.', 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  header(
    'x-service-signature',
    '`t=<timestamp>,v1=<hex>`: the HMAC-SHA256 of `t.<timestamp>.<raw body>` under the secret of the endpoint.',
    SIGNATURE,
  ),
  header('x-service-timestamp', 'When it was sent, in seconds since 1970.', '1767225600'),
  header(
    'webhook-id',
    'Id of the delivery, for endpoints with `standardHeaders`.',
    'del_0123456789abcdef0123456789abcdef',
    false,
  ),
  header(
    'webhook-timestamp',
    'When it was sent, for endpoints with `standardHeaders`.',
    '1767225600',
    false,
  ),
  header(
    'webhook-signature',
    '`v1,<base64>`, for endpoints with `standardHeaders`.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    false,
  ),
]

/** Every event type as an endpoint receives it, for the `webhooks` of the OpenAPI document. */
export function webhookEvents() {
  return EVENT_TYPES.map((type) => {
    const { label, description, data } = getCatalogRow(type)
    return {
      type,
      summary: label,
      description,
      body: bodyShape(type, shapes[type]),
      headers: toHeaders(type),
    }
  })
}
