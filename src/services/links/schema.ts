import { Type, type Static } from 'typebox'
import { described, documented, hidden, named } from '../../base/shape.ts'
import {
  CreatedAt,
  idShape,
  nullable,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../shapes.ts'

export const NAME_MAX_CHARS = 255
const UTM_MAX_CHARS = 255
const SLUG_MAX_CHARS = 190
const REDIRECT_TYPES = [301, 302, 307, 308]
const WRITABLE_STATUSES = ['active', 'paused', 'archived']
const STATUSES = [...WRITABLE_STATUSES, 'expired', 'blocked']
const NOT_YET = 'Not available in this version; always null.'

/** Letters and digits of any script, emoji and `_ - . /`; what else a slug must be is the rule's to say. */
const SLUG_PATTERN = '^[^\\s_\\-./?#%\\\\][^\\s?#%\\\\]*$'

const name = text('What people call the link.', 'Spring sale', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const destinationUrl = documented(
  text('Where the link leads: an http or https URL.', 'https://example.com/spring', {
    minLength: 1,
    maxLength: 8_192,
  }),
  { format: 'uri' },
)
const slug = text('The path of the short URL.', 'spring-sale')
const redirectType = described(
  Type.Integer(),
  'The status of the redirect. 302 and 307 are not kept by browsers; 301 and 308 are, for 90 seconds.',
  302,
)
const metadata = described(
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  'Data of your own, at most 10,000 characters of JSON.',
  { team: 'growth' },
)
const utm = (field: string, example: string) =>
  nullable(
    text(
      `\`${field}\` of the redirect: replaces the destination’s, and yields to the visitor’s.`,
      example,
      {
        maxLength: UTM_MAX_CHARS,
      },
    ),
  )
const utmFields = {
  utmSource: utm('utm_source', 'newsletter'),
  utmMedium: utm('utm_medium', 'email'),
  utmCampaign: utm('utm_campaign', 'spring'),
  utmTerm: utm('utm_term', 'shoes'),
  utmContent: utm('utm_content', 'button'),
}
const never = described(Type.Unsafe<string | null>({ type: ['string', 'null'] }), NOT_YET, null)

/** A link as every answer shows it: the spec's fields, then ours. Nullables are always present. */
export const Link = named(
  'Link',
  Type.Object({
    id: idShape('lnk', 'Id of the link.'),
    workspaceId: WorkspaceId,
    name,
    slug,
    domainId: never,
    destinationUrl,
    iosDeepLink: never,
    androidDeepLink: never,
    expiresAt: nullable(described(Timestamp, 'When the link stops to redirect; null: never.')),
    password: never,
    redirectType,
    status: described(
      Type.String({ enum: STATUSES }),
      'Only an `active` link redirects. `expired` follows from `expiresAt`; `blocked` is the operator’s.',
      'active',
    ),
    campaignId: never,
    ...utmFields,
    metadata,
    createdAt: CreatedAt,
    updatedAt: UpdatedAt,
    shortUrl: text('The whole short URL.', 'https://links.example.com/spring-sale', {}),
    domain: text('The host of the short URL.', 'links.example.com'),
    tags: described(Type.Array(Type.String()), 'Not available in this version; always empty.', []),
    folderId: never,
    externalId: never,
    expiredUrl: never,
    maxClicks: nullable(described(Type.Integer(), NOT_YET, null)),
    startsAt: nullable(described(Timestamp, NOT_YET, null)),
    clicks: described(Type.Integer(), 'Clicks of people since the link exists.', 42),
    lastClickedAt: nullable(described(Timestamp, 'When a person last clicked it.')),
    archivedAt: nullable(described(Timestamp, 'When it was archived.')),
    createdBy: idShape('usr', 'Id of the person who made it.'),
    trackConversions: described(
      Type.Boolean(),
      'Not available in this version; always false.',
      false,
    ),
    rules: described(
      Type.Array(Type.Unknown()),
      'Not available in this version; always empty.',
      [],
    ),
  }),
)
export type Link = Static<typeof Link>

const newStatus = described(
  nullable(Type.String({ enum: [...WRITABLE_STATUSES, null] })),
  'Only an `active` link redirects; null means `active`.',
  'active',
)

/** In the order in which the reference lists them. */
const writable = {
  name,
  destinationUrl,
  slug: nullable(
    documented(
      text(
        'The path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: a random one at creation, no change later.',
        'spring-sale',
        { minLength: 1, maxLength: SLUG_MAX_CHARS },
      ),
      { pattern: SLUG_PATTERN },
    ),
  ),
  expiresAt: nullable(described(Timestamp, 'When the link stops to redirect; null: never.')),
  redirectType: nullable(
    described(
      Type.Integer({ enum: [...REDIRECT_TYPES, null] }),
      'The status of the redirect; null means 302. Browsers keep 301 and 308 for 90 seconds.',
      302,
    ),
  ),
  // Sent back as they were read, `expired` and `blocked` mean no change.
  status: documented(
    described(
      nullable(Type.String({ enum: [...STATUSES, null] })),
      'Only an `active` link redirects; null means `active`.',
      'active',
    ),
    { enum: [...WRITABLE_STATUSES, null] },
  ),
  ...utmFields,
  metadata,
}

/** Options a link has in the interface and this version does not enforce: only their defaults are taken. */
const notYet = {
  domainId: hidden(Type.Unknown()),
  domain: hidden(Type.Unknown()),
  password: hidden(Type.Unknown()),
  iosDeepLink: hidden(Type.Unknown()),
  androidDeepLink: hidden(Type.Unknown()),
  campaignId: hidden(Type.Unknown()),
  tags: hidden(Type.Unknown()),
  folderId: hidden(Type.Unknown()),
  externalId: hidden(Type.Unknown()),
  expiredUrl: hidden(Type.Unknown()),
  maxClicks: hidden(Type.Unknown()),
  startsAt: hidden(Type.Unknown()),
  trackConversions: hidden(Type.Unknown()),
  rules: hidden(Type.Unknown()),
  forwardQuery: hidden(Type.Unknown()),
  utmTemplateId: hidden(Type.Unknown()),
}

const anyFields = Type.Partial(Type.Object({ ...writable, ...notYet }))
export const UpdateLink = named('UpdateLink', described(anyFields, 'The fields to change.'))
export type UpdateLink = Static<typeof UpdateLink>

export const CreateLink = named(
  'CreateLink',
  Type.Object(
    {
      ...anyFields.properties,
      // Keys keep their places: these are required, and still come first.
      name,
      destinationUrl,
      status: Type.Optional(newStatus),
    },
    {
      examples: [
        { name: 'Spring sale', destinationUrl: 'https://example.com/spring', slug: 'spring-sale' },
      ],
    },
  ),
)
export type CreateLink = Static<typeof CreateLink>

const nothingYet = Type.Optional(hidden(Type.String()))

export const ListLinks = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    text('Only links with this text in name, slug or destination.', 'spring', { maxLength: 200 }),
  ),
  status: Type.Optional(
    described(Type.String({ enum: STATUSES }), 'Only links of this status.', 'active'),
  ),
  includeArchived: described(Type.Boolean({ default: false }), 'Archived links, too.', false),
  createdFrom: Type.Optional(described(Timestamp, 'Only links made at this time or later.')),
  createdTo: Type.Optional(described(Timestamp, 'Only links made before this time.')),
  domainId: nothingYet,
  campaignId: nothingYet,
  folderId: nothingYet,
  externalId: nothingYet,
  tag: nothingYet,
  tags: nothingYet,
  sortBy: described(
    Type.String({
      enum: ['createdAt', 'updatedAt', 'name', 'slug', 'clicks', 'lastClickedAt', 'expiresAt'],
      default: 'createdAt',
    }),
    'The field by which the list is ordered.',
    'createdAt',
  ),
  sortOrder: described(
    Type.String({ enum: ['asc', 'desc'], default: 'desc' }),
    'Ascending or descending.',
    'desc',
  ),
})
export type ListLinks = Static<typeof ListLinks>
