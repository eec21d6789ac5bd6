import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import {
  CreatedAt,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'
import { MAX_TAGS, TAG_MAX_CHARS, utmShapes } from '../labels.ts'

export const NAME_MAX_CHARS = 255
const DESCRIPTION_MAX_CHARS = 2_000
export const STATUSES = ['draft', 'active', 'paused', 'completed', 'archived'] as const
export type Status = (typeof STATUSES)[number]
const METRICS = ['clicks', 'uniqueVisitors', 'conversions'] as const
const MAX_TARGET = 1_000_000_000_000

const name = text('Name of the campaign.', 'Spring sale', {
  minLength: 1,
  maxLength: NAME_MAX_CHARS,
})
const description = nullable(
  text('What the campaign is about.', 'Posters and mails for the spring collection', {
    maxLength: DESCRIPTION_MAX_CHARS,
  }),
)
const status = oneOf(
  STATUSES,
  '`active` and `paused` campaigns become `completed` at `endsAt`; drafts and archived ones do not. Links redirect in every status.',
  'active',
)
const startsAt = nullable(described(Timestamp, 'When the campaign begins; null: not planned.'))
const endsAt = nullable(
  described(
    Timestamp,
    'When the campaign ends and becomes `completed`; null: never by itself.',
    '2027-01-01T00:00:00.000Z',
  ),
)
const goal = nullable(
  described(
    object('CampaignGoal', {
      metric: oneOf(METRICS, 'What is counted.', 'clicks'),
      target: integer('The number that the campaign aims at.', 10_000, {
        minimum: 1,
        maximum: MAX_TARGET,
      }),
    }),
    'The goal of the campaign; null: none. Reaching it changes nothing.',
  ),
)
const utmFields = utmShapes(
  (parameter) =>
    `\`${parameter}\` of links that are written with this campaign and have no value of their own.`,
)
const TAGS = 'Tags of the campaign itself; its links have their own.'

export const Campaign = object('Campaign', {
  id: idShape('cmp', 'Id of the campaign.'),
  workspaceId: WorkspaceId,
  name,
  description,
  status,
  startsAt,
  endsAt,
  goal,
  ...utmFields,
  tags: described(Type.Array(Type.String()), TAGS, ['print']),
  linkCount: integer('Number of its links, archived ones included.', 12),
  clicks: integer('Human clicks of its links, since each was created.', 42),
  completedAt: nullable(described(Timestamp, 'When it was completed; null: it is not.')),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
})
export type Campaign = Static<typeof Campaign>

const tags = Type.Array(Type.String({ minLength: 1, maxLength: TAG_MAX_CHARS * 4 }), {
  maxItems: MAX_TAGS,
})
const anyFields = Type.Partial(
  Type.Object({
    name,
    description,
    status,
    startsAt,
    endsAt,
    goal,
    ...utmFields,
    tags: described(nullable(tags), `${TAGS} The list replaces the one before.`, ['print']),
  }),
)
export const UpdateCampaign = named('UpdateCampaign', described(anyFields, 'The fields to change.'))
export type UpdateCampaign = Static<typeof UpdateCampaign>

export const CreateCampaign = object(
  'CreateCampaign',
  { ...anyFields.properties, name },
  { examples: [{ name: 'Spring sale', utmCampaign: 'spring', utmSource: 'poster' }] },
)
export type CreateCampaign = Static<typeof CreateCampaign>

export const SORT_KEYS = {
  createdAt: { key: 'created_at' },
  updatedAt: { key: 'updated_at' },
  name: { key: 'name collate human_order' },
  startsAt: { key: 'starts_at', isNullable: true },
  endsAt: { key: 'ends_at', isNullable: true },
} as const satisfies SortKeys<string>

export const ListCampaigns = Type.Object({
  ...nameListQuery('campaigns', SORT_KEYS, { sortBy: 'createdAt', sortOrder: 'desc' }),
  status: Type.Optional(oneOf(STATUSES, 'Only campaigns of this status.', 'active')),
})
export type ListCampaigns = Static<typeof ListCampaigns>
