import type { Schemas } from '../api/client.ts'
import { splitList } from '../kit/lists.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { toUtmValues, utmDraftOf, type UtmDraft } from '../kit/utm-fields.tsx'
import type { Campaign } from './queries.ts'

export type CampaignDraft = UtmDraft & {
  name: string
  description: string
  status: Campaign['status']
  startsAt: string
  endsAt: string
  goalMetric: NonNullable<Campaign['goal']>['metric'] | ''
  goalTarget: string
  tags: string
}

export function draftOf(campaign: Campaign | null): CampaignDraft {
  return {
    ...utmDraftOf(campaign),
    name: campaign?.name ?? '',
    description: campaign?.description ?? '',
    status: campaign?.status ?? 'active',
    startsAt: toLocalTime(campaign?.startsAt ?? null),
    endsAt: toLocalTime(campaign?.endsAt ?? null),
    goalMetric: campaign?.goal?.metric ?? '',
    goalTarget: campaign?.goal ? String(campaign.goal.target) : '',
    tags: campaign?.tags.join(', ') ?? '',
  }
}

export function toBody(draft: CampaignDraft): Schemas['CreateCampaign'] {
  const metric = draft.goalMetric
  return {
    ...toUtmValues(draft),
    name: draft.name.trim(),
    description: draft.description.trim() || null,
    status: draft.status,
    startsAt: fromLocalTime(draft.startsAt),
    endsAt: fromLocalTime(draft.endsAt),
    goal: metric === '' ? null : { metric, target: Number(draft.goalTarget) },
    tags: splitList(draft.tags),
  }
}
