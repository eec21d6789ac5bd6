import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import {
  CreatedAt,
  FilteredMeta,
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  PageQuery,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { MAX_TAGS, TAG_MAX_CHARS, utmShapes } from '../labels.ts'
import { optionAnswers, optionInputs, URL_MAX_CHARS } from '../options/option-shapes.ts'

export const NAME_MAX_CHARS = 255
const SLUG_MAX_CHARS = 190
const REDIRECT_TYPES = [301, 302, 307, 308]
const WRITABLE_STATUSES = ['active', 'paused', 'archived']
const STATUSES = [...WRITABLE_STATUSES, 'expired', 'blocked']
export const MAX_ALIASES = 20
const ALIASES = 'Further slugs of the link, which redirect and count as its slug does.'

/** Documents the allowed characters; `platform/facts/slug.ts` has all rules of a slug. */
const SLUG_PATTERN = '^[^\\s_\\-./?#%\\\\][^\\s?#%\\\\]*$'

const name = text('Name of the link.', 'Spring sale', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const destinationUrl = documented(
  text('Target of the redirect: an http or https URL.', 'https://example.com/spring', {
    minLength: 1,
    maxLength: URL_MAX_CHARS,
  }),
  { format: 'uri' },
)
const slug = text('Path of the short URL.', 'spring-sale')
const redirectType = integer(
  'Status of the redirect. Browsers cache 301 and 308 for 90 seconds, and never 302 and 307.',
  302,
)
const metadata = described(
  Type.Unsafe<Record<string, unknown> | null>({
    type: ['object', 'null'],
    additionalProperties: true,
  }),
  'Custom data, at most 10,000 characters of JSON.',
  { team: 'growth' },
)
const utmFields = utmShapes(
  (parameter) =>
    `\`${parameter}\` of the redirect: overrides the destination’s, and is overridden by the visitor’s.`,
)
export const EXTERNAL_ID_MAX_CHARS = 255
const folderId = 'Folder of the link.'
const campaignId = 'Campaign of the link.'
const externalId = 'Id of the link in another system, unique in the workspace.'
const TAGS = 'Tags of the link.'
export const tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX_CHARS * 4 }), {
  maxItems: MAX_TAGS,
})
const expiresAt = nullable(
  described(Timestamp, 'Time at which the link expires; null: never.', '2027-01-01T00:00:00.000Z'),
)
const domainId = 'Domain of the short URL.'
export const DomainName = text(
  'Host of the domain, instead of `domainId`; the host of the server means no domain.',
  'go.example.com',
  { minLength: 1, maxLength: 260 },
)

/** All fields are present, fields of the spec first. */
export const Link = object('Link', {
  id: idShape('lnk', 'Id of the link.'),
  workspaceId: WorkspaceId,
  name,
  slug,
  domainId: nullable(idShape('dom', `${domainId} Null: the shared host.`)),
  destinationUrl,
  iosDeepLink: optionAnswers.iosDeepLink,
  androidDeepLink: optionAnswers.androidDeepLink,
  expiresAt,
  password: described(
    Type.Unsafe<string | null>({ type: ['string', 'null'] }),
    '`********` if visitors need a password; null if they need none.',
    null,
  ),
  redirectType,
  status: described(
    Type.String({ enum: STATUSES }),
    '`active` and `archived` links redirect. `expired` follows from `expiresAt` and `maxClicks`; the operator sets `blocked`.',
    'active',
  ),
  campaignId: nullable(idShape('cmp', campaignId)),
  ...utmFields,
  metadata,
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
  shortUrl: text('The short URL.', 'https://links.example.com/spring-sale', {}),
  domain: text('Host of the short URL.', 'links.example.com'),
  tags: described(Type.Array(Type.String()), TAGS, ['newsletter']),
  folderId: nullable(idShape('fld', folderId)),
  externalId: nullable(text(externalId, 'crm-4711')),
  expiredUrl: optionAnswers.expiredUrl,
  maxClicks: optionAnswers.maxClicks,
  startsAt: optionAnswers.startsAt,
  clicks: integer('Human clicks since the link was created.', 42),
  lastClickedAt: nullable(described(Timestamp, 'Time of the last human click.')),
  archivedAt: nullable(described(Timestamp, 'Time at which it was archived.')),
  createdBy: idShape('usr', 'Id of the user who created it.'),
  trackConversions: optionAnswers.trackConversions,
  rules: optionAnswers.rules,
  forwardQuery: optionAnswers.forwardQuery,
  noindex: optionAnswers.noindex,
  card: optionAnswers.card,
  qrLogoMediaId: optionAnswers.qrLogoMediaId,
  variants: optionAnswers.variants,
  variantsUntil: optionAnswers.variantsUntil,
  aliases: described(Type.Array(Type.String()), ALIASES, ['spring']),
  blockedReason: nullable(
    text('Why the operator has blocked the link, if a reason was given.', 'phishing'),
  ),
  periodClicks: Type.Optional(
    integer('Human clicks of the last `clickDays` days, in a list with that parameter.', 17),
  ),
  periodConversions: Type.Optional(
    integer('Conversions of these days, in a list with that parameter.', 3),
  ),
  periodValue: Type.Optional(
    integer(
      'Their value in the smallest unit of `currency`, in a list with that parameter.',
      4_900,
    ),
  ),
})
export type Link = Static<typeof Link>

const newStatus = described(
  nullable(Type.String({ enum: [...WRITABLE_STATUSES, null] })),
  '`active` and `archived` links redirect; null means `active`.',
  'active',
)

const writable = {
  name,
  destinationUrl,
  slug: nullable(
    documented(
      text(
        'Path of the short URL: letters, digits, emoji and `_ - . /`. Absent or null: random at creation, unchanged later.',
        'spring-sale',
        { minLength: 1, maxLength: SLUG_MAX_CHARS },
      ),
      { pattern: SLUG_PATTERN },
    ),
  ),
  domainId: nullable(
    idInput(
      'dom',
      `${domainId} For a new link null means the default domain of the workspace, in an update the shared host.`,
    ),
  ),
  expiresAt,
  password: nullable(
    documented(
      text(
        'Password that visitors need, at most 256 bytes; null removes it. In an update `********` keeps it.',
        'quiet harbour lamp',
      ),
      { writeOnly: true },
    ),
  ),
  redirectType: nullable(
    described(
      Type.Integer({ enum: [...REDIRECT_TYPES, null] }),
      'Status of the redirect; null means 302. Browsers cache 301 and 308 for 90 seconds.',
      302,
    ),
  ),
  // `expired` and `blocked` are accepted from clients that send back an unchanged link.
  status: documented(
    described(
      nullable(Type.String({ enum: [...STATUSES, null] })),
      '`active` and `archived` links redirect; null means `active`.',
      'active',
    ),
    { enum: [...WRITABLE_STATUSES, null] },
  ),
  ...utmFields,
  metadata,
  ...optionInputs,
  aliases: described(
    nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: SLUG_MAX_CHARS }), {
        maxItems: MAX_ALIASES,
      }),
    ),
    `${ALIASES} The list replaces the one before; at most ${MAX_ALIASES}.`,
    ['spring'],
  ),
  tags: described(
    nullable(tags),
    `${TAGS} At most ${MAX_TAGS} of ${TAG_MAX_CHARS} characters, without commas. The list replaces the one before.`,
    ['newsletter'],
  ),
  folderId: nullable(idInput('fld', `${folderId} Null: none.`)),
  campaignId: nullable(
    idInput('cmp', `${campaignId} It sets UTM fields that the link would not have. Null: none.`),
  ),
  externalId: nullable(
    text(`${externalId} Null: none.`, 'crm-4711', {
      minLength: 1,
      maxLength: EXTERNAL_ID_MAX_CHARS,
    }),
  ),
}

const utmTemplateId = nullable(
  idInput('utm', 'Template for the UTM fields that the request leaves out.'),
)
const anyFields = Type.Partial(
  Type.Object({ ...writable, utmTemplateId, domain: nullable(DomainName) }),
)
const changes = Type.Partial(
  Type.Object({
    ...anyFields.properties,
    keepAlias: nullable(flag('Whether the old slug becomes an alias when `slug` changes.', true)),
  }),
)
export const UpdateLink = named('UpdateLink', described(changes, 'The fields to change.'))
export type UpdateLink = Static<typeof UpdateLink>

export const RESTORED_FIELDS: ReadonlySet<string> = new Set(
  Object.keys(writable).filter((field) => field !== 'password'),
)

export const HistoryEntry = object('LinkHistoryEntry', {
  id: idShape('hst', 'Id of the entry.'),
  changedAt: described(Timestamp, 'When it was changed.'),
  actor: described(
    object('LinkHistoryActor', {
      type: described(
        Type.String({ enum: ['user', 'api_key', 'system'] }),
        'A user, an API key, or the program itself.',
        'user',
      ),
      id: idShape('usr', 'Id of the user or the key.'),
      name: nullable(text('Name at that time.', 'Example User')),
    }),
    'Author of the change.',
  ),
  changes: described(
    Type.Unsafe<Record<string, { old: unknown; new: unknown }>>({
      type: 'object',
      additionalProperties: true,
    }),
    'Old and new value of each field, `{field: {old, new}}`; of a password only that it changed. Empty for the creation.',
    { name: { old: 'Spring', new: 'Spring sale' } },
  ),
})
export type HistoryEntry = Static<typeof HistoryEntry>

export const RollbackLink = object('RollbackLink', {
  historyId: idInput('hst', 'The entry of the history whose state is restored.'),
})

export const CreateLink = object(
  'CreateLink',
  {
    ...anyFields.properties,
    // Required; overwriting keeps the order of the properties.
    name,
    destinationUrl,
    status: Type.Optional(newStatus),
  },
  {
    examples: [
      { name: 'Spring sale', destinationUrl: 'https://example.com/spring', slug: 'spring-sale' },
    ],
  },
)
export type CreateLink = Static<typeof CreateLink>

const MAX_CLICK_DAYS = 90
const MAX_IDS = 100
const ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

export const ListLinks = Type.Object({
  ...PageQuery,
  cursor: Type.Optional(
    text(
      '`meta.nextCursor` of the page before, in a request with the same filters and order. Reads a deep page as fast as the first one. Links created or deleted since then neither repeat nor hide another.',
      'WyJ2cmhXUzR6NHY3bTQiLCIyMDI2LTAxLTAxVDAwOjAwOjAwLjAwMDAwMFoiLCJsbmtfMDFBUlozTkRFS1RTVjRSUkZGUTY5RzVGQVYiXQ',
      { minLength: 1, maxLength: 4_000 },
    ),
  ),
  search: Type.Optional(
    text('Only links with this text in name, slug or destination.', 'spring', { maxLength: 200 }),
  ),
  status: Type.Optional(
    described(Type.String({ enum: STATUSES }), 'Only links of this status.', 'active'),
  ),
  includeArchived: flag('Include archived links.', false, { default: false }),
  createdFrom: Type.Optional(described(Timestamp, 'Only links created at this time or later.')),
  createdTo: Type.Optional(described(Timestamp, 'Only links created before this time.')),
  domainId: Type.Optional(idInput('dom', 'Only links on this domain.')),
  domain: Type.Optional(DomainName),
  campaignId: Type.Optional(idInput('cmp', 'Only links of this campaign.')),
  folderId: Type.Optional(idInput('fld', 'Only links in this folder.')),
  externalId: Type.Optional(
    text('Only the link with this id of yours.', 'crm-4711', { maxLength: EXTERNAL_ID_MAX_CHARS }),
  ),
  slug: Type.Optional(
    text('Only links with this slug, or with this alias.', 'spring-sale', {
      maxLength: SLUG_MAX_CHARS,
    }),
  ),
  destinationUrl: Type.Optional(
    text('Only links to this destination, as answers have it.', 'https://example.com/spring', {
      maxLength: URL_MAX_CHARS,
    }),
  ),
  ids: Type.Optional(
    text(`Only these links: ids, at most ${MAX_IDS}, separated by commas.`, `lnk_${ULID}`, {
      pattern: `^[^,]{1,64}(,[^,]{1,64}){0,${MAX_IDS - 1}}$`,
    }),
  ),
  tag: Type.Optional(text('Only links with this tag.', 'newsletter', { maxLength: 200 })),
  tags: Type.Optional(
    text('Only links with one of these tags, separated by commas.', 'newsletter,spring', {
      maxLength: 4_000,
    }),
  ),
  tagsMode: Type.Optional(
    oneOf(
      ['any', 'all'],
      'Links with `any` of the `tags`, which is the default, or with `all` of them.',
      'all',
    ),
  ),
  clickDays: Type.Optional(
    integer(
      'Adds `periodClicks`, `periodConversions` and `periodValue` to each link: its clicks and conversions of the last calendar days, today included.',
      30,
      { minimum: 1, maximum: MAX_CLICK_DAYS },
    ),
  ),
  timezone: Type.Optional(
    text('IANA time zone of the days of `clickDays`; UTC without it.', 'Europe/Berlin', {
      maxLength: 64,
    }),
  ),
  currency: Type.Optional(
    text('Currency of `periodValue`, as three letters of ISO 4217; `usd` without it.', 'eur', {
      pattern: '^[A-Za-z]{3}$',
    }),
  ),
  sortBy: described(
    Type.String({
      enum: [
        ...['createdAt', 'updatedAt', 'name', 'slug', 'clicks', 'lastClickedAt', 'expiresAt'],
        'periodClicks',
      ],
      default: 'createdAt',
    }),
    'Sort field. The order by `clicks` and `lastClickedAt` may be ten seconds old; `periodClicks` needs `clickDays`.',
    'createdAt',
  ),
  sortOrder: described(
    Type.String({ enum: ['asc', 'desc'], default: 'desc' }),
    'Ascending or descending.',
    'desc',
  ),
})
export type ListLinks = Static<typeof ListLinks>

export const LinkListMeta = object('LinkListMeta', {
  ...FilteredMeta.properties,
  nextCursor: nullable(
    text('`cursor` of the next page; null on the last page.', 'WyJ2cmhXUzR6NHY3bTQiXQ'),
  ),
  period: Type.Optional(
    described(
      object('ClickPeriod', {
        start: described(Timestamp, 'Start of the first day.'),
        end: described(Timestamp, 'End of the last day.', '2026-01-31T00:00:00.000Z'),
      }),
      'The period of `periodClicks`; with `clickDays` alone, as the two below.',
    ),
  ),
  timezone: Type.Optional(text('Time zone of its days.', 'Europe/Berlin')),
  asOf: Type.Optional(
    described(Timestamp, 'Every click that was answered before this time is counted.'),
  ),
  currencies: Type.Optional(
    described(Type.Array(Type.String()), 'Currencies of the conversions of these links.', ['usd']),
  ),
})

export const ExportLinks = Type.Omit(ListLinks, [
  'limit',
  'offset',
  'cursor',
  'sortBy',
  'sortOrder',
  'clickDays',
  'timezone',
  'currency',
  'ids',
])
export type ExportLinks = Static<typeof ExportLinks>
