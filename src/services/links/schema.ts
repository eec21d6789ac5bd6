import { Type } from 'typebox'
import type { Static } from 'typebox'
import { nullable, PageQuery, Timestamp } from '../shapes.ts'

const REDIRECT_TYPES = [301, 302, 307, 308]
const UTM_MAX_CHARS = 255

const Utm = nullable(Type.String({ maxLength: UTM_MAX_CHARS }))
const NullableText = nullable(Type.String())
const AnyObject = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
})

/** A link as every answer shows it: the spec's fields, then ours. Nullables are always present. */
export const Link = Type.Object({
  id: Type.String(),
  workspaceId: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  domainId: NullableText,
  destinationUrl: Type.String(),
  iosDeepLink: NullableText,
  androidDeepLink: NullableText,
  expiresAt: nullable(Timestamp),
  password: NullableText,
  redirectType: Type.Integer(),
  status: Type.String({ enum: ['active', 'paused', 'archived', 'expired', 'blocked'] }),
  campaignId: NullableText,
  utmSource: NullableText,
  utmMedium: NullableText,
  utmCampaign: NullableText,
  utmTerm: NullableText,
  utmContent: NullableText,
  metadata: AnyObject,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  shortUrl: Type.String(),
  domain: Type.String(),
  tags: Type.Array(Type.String()),
  folderId: NullableText,
  externalId: NullableText,
  expiredUrl: NullableText,
  maxClicks: nullable(Type.Integer()),
  startsAt: nullable(Timestamp),
  clicks: Type.Integer(),
  lastClickedAt: nullable(Timestamp),
  archivedAt: nullable(Timestamp),
  createdBy: Type.String(),
  trackConversions: Type.Boolean(),
  rules: Type.Array(Type.Unknown()),
})
export type Link = Static<typeof Link>

const writable = {
  name: Type.String({ minLength: 1, maxLength: 1_000 }),
  destinationUrl: Type.String({ minLength: 1, maxLength: 8_192 }),
  slug: nullable(Type.String({ minLength: 1, maxLength: 190 })),
  expiresAt: nullable(Timestamp),
  redirectType: nullable(Type.Integer({ enum: [...REDIRECT_TYPES, null] })),
  status: nullable(
    Type.String({ enum: ['active', 'paused', 'archived', 'expired', 'blocked', null] }),
  ),
  utmSource: Utm,
  utmMedium: Utm,
  utmCampaign: Utm,
  utmTerm: Utm,
  utmContent: Utm,
  metadata: AnyObject,
}

/** Options a link has in the interface and this version does not enforce: only their defaults are taken. */
const notYet = {
  domainId: Type.Unknown(),
  domain: Type.Unknown(),
  password: Type.Unknown(),
  iosDeepLink: Type.Unknown(),
  androidDeepLink: Type.Unknown(),
  campaignId: Type.Unknown(),
  tags: Type.Unknown(),
  folderId: Type.Unknown(),
  externalId: Type.Unknown(),
  expiredUrl: Type.Unknown(),
  maxClicks: Type.Unknown(),
  startsAt: Type.Unknown(),
  trackConversions: Type.Unknown(),
  rules: Type.Unknown(),
  forwardQuery: Type.Unknown(),
  utmTemplateId: Type.Unknown(),
}

export const UpdateLink = Type.Partial(Type.Object({ ...writable, ...notYet }))
export type UpdateLink = Static<typeof UpdateLink>

export const CreateLink = Type.Object({
  ...UpdateLink.properties,
  name: writable.name,
  destinationUrl: writable.destinationUrl,
  status: Type.Optional(nullable(Type.String({ enum: ['active', 'paused', 'archived', null] }))),
})
export type CreateLink = Static<typeof CreateLink>

export const ListLinks = Type.Object({
  ...PageQuery,
  search: Type.Optional(
    Type.String({ maxLength: 200, description: 'In name, slug or destination.' }),
  ),
  status: Type.Optional(
    Type.String({ enum: ['active', 'paused', 'archived', 'expired', 'blocked'] }),
  ),
  includeArchived: Type.Boolean({ default: false }),
  createdFrom: Type.Optional(Timestamp),
  createdTo: Type.Optional(Timestamp),
  domainId: Type.Optional(Type.String()),
  campaignId: Type.Optional(Type.String()),
  folderId: Type.Optional(Type.String()),
  externalId: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String()),
  tags: Type.Optional(Type.String()),
  sortBy: Type.String({
    enum: ['createdAt', 'updatedAt', 'name', 'slug', 'clicks', 'lastClickedAt', 'expiresAt'],
    default: 'createdAt',
  }),
  sortOrder: Type.String({ enum: ['asc', 'desc'], default: 'desc' }),
})
export type ListLinks = Static<typeof ListLinks>
