import { readNewSearch, type NewSearch } from '../kit/list-search.ts'

/** `linkId`: what a new alert watches; absent: the whole workspace. */
export type AlertsSearch = NewSearch & { linkId?: string | undefined }

export function readAlertsSearch(search: Record<string, unknown>): AlertsSearch {
  const { linkId } = search
  return {
    ...readNewSearch(search),
    ...(typeof linkId === 'string' && /^\w{1,64}$/.test(linkId) ? { linkId } : {}),
  }
}
