/** `new` opens the drawer for a new row. */
export type NewSearch = { new?: true | undefined }

export function readNewSearch(search: Record<string, unknown>): NewSearch {
  return search.new === true ? { new: true } : {}
}

/** Parameters of a list with a search and a status. */
export type ListSearch<Status extends string> = NewSearch & {
  q?: string | undefined
  status?: Status | undefined
}

/** Reads the query string of such a list; values that it does not know are left out. */
export function readListSearch<Status extends string>(
  search: Record<string, unknown>,
  statuses: readonly Status[],
): ListSearch<Status> {
  const status = statuses.find((each) => each === search.status)
  const q = typeof search.q === 'number' ? String(search.q) : search.q
  return {
    ...(typeof q === 'string' && q !== '' ? { q } : {}),
    ...(status ? { status } : {}),
    ...readNewSearch(search),
  }
}
