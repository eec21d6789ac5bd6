/** `new` opens the drawer for a new page. */
export type BioPagesSearch = { new?: true | undefined }

export function readBioPagesSearch(search: Record<string, unknown>): BioPagesSearch {
  return search.new === true ? { new: true } : {}
}
