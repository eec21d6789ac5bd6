import type { Resource } from '../../platform/resources/resource.ts'
import { Campaign } from './schema.ts'

export const campaigns = {
  scopes: { campaigns: { read: 'read campaigns', write: 'create, change and delete campaigns' } },
  limits: ['campaigns'],
  events: {
    'campaign.completed': {
      label: 'Campaign completed',
      description: 'A campaign ended or was marked as completed, for the first time.',
      data: Campaign,
    },
  },
} as const satisfies Resource
