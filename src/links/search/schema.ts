import { Type, type Static, type TSchema } from 'typebox'
import { described, object } from '../../platform/routes/shape.ts'
import { idShape, nullable, RoleName, text } from '../../platform/resources/shapes.ts'

const Q_MAX_CHARS = 2_048
const DEFAULT_LIMIT = 5
const MAX_LIMIT = 20

export const SearchQuery = Type.Object({
  q: text(
    'A part of a name, slug or address, in any case; the beginning of a slug, alias or external id; or a whole short URL. An empty one finds nothing.',
    'spring',
    { maxLength: Q_MAX_CHARS },
  ),
  limit: described(
    Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT }),
    'The largest number of results of each kind.',
    DEFAULT_LIMIT,
  ),
})
export type SearchQuery = Static<typeof SearchQuery>

const FoundLink = object('FoundLink', {
  id: idShape('lnk', 'Id of the link.'),
  name: text('Its name.', 'Spring sale'),
  slug: text('Path of its short URL.', 'spring-sale'),
  shortUrl: text('Its short URL.', 'https://links.example.com/spring-sale'),
  destinationUrl: text('Where it leads.', 'https://example.com/spring'),
  externalId: nullable(text('Its id in another system.', 'sku-1001')),
  status: text('State of the link, as `GET /v1/links` has it.', 'active'),
})
export type FoundLink = Static<typeof FoundLink>

const FoundCampaign = object('FoundCampaign', {
  id: idShape('cmp', 'Id of the campaign.'),
  name: text('Its name.', 'Spring'),
  status: text('Its state.', 'active'),
})

const FoundTag = object('FoundTag', { name: text('The tag.', 'spring') })

const FoundFolder = object('FoundFolder', {
  id: idShape('fld', 'Id of the folder.'),
  name: text('Its name.', 'Spring'),
})

const FoundEndpoint = object('FoundWebhookEndpoint', {
  id: idShape('whe', 'Id of the endpoint.'),
  url: text('Its address.', 'https://example.com/hooks'),
  description: nullable(text('Its description.', 'Orders')),
  status: text('Its state.', 'active'),
})

const FoundMember = object('FoundMember', {
  userId: idShape('usr', 'Id of the user.'),
  name: text('Name of the user.', 'Example User'),
  email: text('E-mail address of the user.', 'user@example.com'),
  role: described(RoleName, 'Role in the workspace.', 'member'),
})

const section = <S extends TSchema>(shape: S, kind: string, scope: string) =>
  Type.Optional(
    described(
      Type.Array(shape),
      `The ${kind} found, best first; left out for an API key without \`${scope}\`.`,
    ),
  )

export const SearchResults = object('SearchResults', {
  links: section(FoundLink, 'links', 'links:read'),
  campaigns: section(FoundCampaign, 'campaigns', 'campaigns:read'),
  tags: section(FoundTag, 'tags', 'links:read'),
  folders: section(FoundFolder, 'folders', 'links:read'),
  webhookEndpoints: section(FoundEndpoint, 'webhook endpoints', 'webhooks:read'),
  members: section(FoundMember, 'members', 'members:read'),
})
export type SearchResults = Static<typeof SearchResults>
export type SectionName = keyof SearchResults
