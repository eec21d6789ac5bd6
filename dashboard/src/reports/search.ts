/** `new` opens the drawer for a new report. */
export type ReportsPageSearch = { new?: true | undefined }

export function readReportsPageSearch(search: Record<string, unknown>): ReportsPageSearch {
  return search.new === true ? { new: true } : {}
}
