/** The import that the page shows, by its id. */
export type ImportSearch = { shown?: string | undefined }

export function readImportSearch({ shown }: Record<string, unknown>): ImportSearch {
  return typeof shown === 'string' && shown !== '' ? { shown } : {}
}
