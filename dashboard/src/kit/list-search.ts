/** Parameters of a list with a search and a status; `new` opens the drawer for a new row. */
export type ListSearch<Status extends string> = {
  q?: string | undefined
  status?: Status | undefined
  new?: true | undefined
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
    ...(search.new === true ? { new: true } : {}),
  }
}
