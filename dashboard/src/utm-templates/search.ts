/** `new` opens the drawer for a new template. */
export type TemplatesSearch = { new?: true | undefined }

export function readTemplatesSearch(search: Record<string, unknown>): TemplatesSearch {
  return search.new === true ? { new: true } : {}
}
