import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { FilteredMeta, idParams } from '../../platform/resources/shapes.ts'
import type { Campaigns } from './campaigns.ts'
import { Campaign, CreateCampaign, ListCampaigns, UpdateCampaign } from './schema.ts'

const Params = idParams('cmp', 'campaign')

const { reads, writes } = scopedTo('campaigns', 'Campaigns')

export const campaignRoutes = (campaigns: Campaigns) => [
  route('POST /campaigns', {
    ...writes,
    idempotent: true,
    status: 201,
    name: 'createCampaign',
    summary: 'Create a campaign',
    description: 'Creates a campaign, which groups links and gives them UTM values.',
    errors: ['NOT_FOUND'],
    shapes: { body: CreateCampaign, reply: Campaign },
    handle: (principal, { body }) => campaigns.create(principal, body),
  }),
  route('GET /campaigns', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listCampaigns',
    summary: 'List campaigns',
    description:
      'Pages through the campaigns of the workspace with their links and clicks, newest first unless `sortBy` says otherwise.',
    shapes: { query: ListCampaigns, reply: Type.Array(Campaign), meta: FilteredMeta },
    handle: (principal, { query }, signal) => campaigns.list(principal, query, signal),
  }),
  route('GET /campaigns/:id', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'getCampaign',
    summary: 'Read a campaign',
    description: 'Returns one campaign with its numbers of links and clicks.',
    shapes: { params: Params, reply: Campaign },
    find: campaigns.find,
    handle: (principal, { params }, signal) => campaigns.get(principal, params.id, signal),
  }),
  route('PATCH /campaigns/:id', {
    ...writes,
    supportsIfMatch: true,
    name: 'updateCampaign',
    summary: 'Update a campaign',
    description:
      'Changes the fields that are sent. The first time that the campaign becomes `completed`, `campaign.completed` is sent. Its links keep their UTM values.',
    shapes: { params: Params, body: UpdateCampaign, reply: Campaign },
    find: campaigns.find,
    handle: (principal, { params, body }) => campaigns.update(principal, params.id, body),
  }),
  route('DELETE /campaigns/:id', {
    ...writes,
    status: 204,
    name: 'deleteCampaign',
    summary: 'Delete a campaign',
    description: 'Its links stay, in no campaign, and keep their UTM values.',
    shapes: { params: Params },
    find: campaigns.find,
    handle: (principal, { params }) => campaigns.remove(principal, params.id),
  }),
]
