import { readListSearch, type ListSearch } from '../kit/list-search.ts'

export const STATUSES = ['draft', 'active', 'paused', 'completed', 'archived'] as const

export type CampaignsSearch = ListSearch<(typeof STATUSES)[number]>

export const readCampaignsSearch = (search: Record<string, unknown>): CampaignsSearch =>
  readListSearch(search, STATUSES)
