const SORTS = ['createdAt', 'clicks', 'lastClickedAt', 'name', 'periodClicks'] as const
const STATUSES = ['active', 'paused', 'archived', 'expired', 'blocked'] as const

export type LinkSort = (typeof SORTS)[number]

/** What the list of links shows; `new` opens the drawer for a new link, `edit` that of a link. */
export type LinksSearch = {
  q?: string | undefined
  tag?: string | undefined
  folderId?: string | undefined
  campaignId?: string | undefined
  status?: (typeof STATUSES)[number] | undefined
  sort?: LinkSort | undefined
  new?: true | undefined
  url?: string | undefined
}

/** Reads the search of an address; what it does not know is left out. */
export function readLinksSearch(search: Record<string, unknown>): LinksSearch {
  const textOf = (key: string) => {
    const value = search[key]
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value !== '' ? value : undefined
  }
  const q = textOf('q')
  const tag = textOf('tag')
  const folderId = textOf('folderId')
  const campaignId = textOf('campaignId')
  const url = textOf('url')
  const status = STATUSES.find((each) => each === search.status)
  const sort = SORTS.find((each) => each === search.sort)
  return {
    ...(q ? { q } : {}),
    ...(tag ? { tag } : {}),
    ...(folderId ? { folderId } : {}),
    ...(campaignId ? { campaignId } : {}),
    ...(url ? { url } : {}),
    ...(status ? { status } : {}),
    ...(sort ? { sort } : {}),
    ...(search.new === true ? { new: true } : {}),
  }
}
