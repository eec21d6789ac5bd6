export const STATUSES = ['draft', 'active', 'paused', 'completed', 'archived'] as const

/** What the list of campaigns shows; `new` opens the drawer for a new one. */
export type CampaignsSearch = {
  q?: string | undefined
  status?: (typeof STATUSES)[number] | undefined
  new?: true | undefined
}

export function readCampaignsSearch(search: Record<string, unknown>): CampaignsSearch {
  const status = STATUSES.find((each) => each === search.status)
  const q = typeof search.q === 'number' ? String(search.q) : search.q
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(status ? { status } : {}),
    ...(search.new === true ? { new: true } : {}),
  }
}
