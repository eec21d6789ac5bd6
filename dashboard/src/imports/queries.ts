import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, ask, dataOf, type Schemas } from '../api/client.ts'
import { pagedQuery } from '../api/pages.ts'

export type LinkImport = Schemas['LinkImport']
export type Source = LinkImport['source']
export type Policy = LinkImport['onConflict']

const POLL_MS = 700
const LISTED = 20
const PAGE_ROWS = 100

export function isRunning({ status }: LinkImport): boolean {
  return status === 'pending' || status === 'processing'
}

/** An import, read again while it runs. */
export function importQuery(workspaceId: string, id: string) {
  return queryOptions({
    queryKey: [workspaceId, 'import', id],
    queryFn: ({ signal }) =>
      dataOf(api.GET('/links/imports/{id}', { params: { path: { id } }, signal })),
    refetchInterval: ({ state: { data } }) => (data && isRunning(data) ? POLL_MS : false),
  })
}

export function importsQuery(workspaceId: string) {
  return queryOptions({
    queryKey: [workspaceId, 'imports'],
    queryFn: ({ signal }) =>
      ask(api.GET('/links/imports', { params: { query: { limit: LISTED } }, signal })).then(
        ({ data }) => data,
      ),
  })
}

export type ImportOptions = {
  source: Source | ''
  onConflict: Policy
  /** The host of all links; `default` for that of the workspace, empty for those of the file. */
  domain: string
  /** The field of each column that the user has chosen one for; null leaves the column out. */
  mapping: Readonly<Record<string, string | null>>
}

/** Sends a file; a dry run checks all of it and writes nothing. */
export function startImport(
  file: File,
  { source, onConflict, domain, mapping }: ImportOptions,
  dryRun: boolean,
): Promise<LinkImport> {
  const query = {
    dryRun,
    onConflict,
    ...(source === '' ? {} : { source }),
    ...(domain === '' ? {} : { domain }),
    ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
  }
  return dataOf(
    api.POST('/links/import', {
      params: { query },
      body: file as unknown as string,
      bodySerializer: (body) => body as unknown as BodyInit,
      headers: { 'content-type': isJson(file) ? 'application/json' : 'text/csv' },
    }),
  )
}

/** Reads the links of a Shlink server. The key is in no answer. */
export function startShlinkImport(
  { domain, ...source }: { baseUrl: string; apiKey: string; domain: string },
  dryRun: boolean,
): Promise<LinkImport> {
  const body = { ...source, dryRun, ...(domain === '' ? {} : { domain }) }
  return dataOf(api.POST('/links/import/shlink', { body }))
}

export type Field = NonNullable<Schemas['LinkImportColumn']['field']>

/** As which field the server would read each column of a file. */
export function columnsQuery(
  workspaceId: string,
  columns: readonly string[],
  { source, mapping }: Pick<ImportOptions, 'source' | 'mapping'>,
) {
  const body = {
    columns: [...columns],
    ...(source === '' ? {} : { source }),
    ...(Object.keys(mapping).length > 0 ? { mapping: JSON.stringify(mapping) } : {}),
  }
  return queryOptions({
    queryKey: [workspaceId, 'import-columns', body],
    queryFn: ({ signal }) => dataOf(api.POST('/links/import/columns', { body, signal })),
    placeholderData: keepPreviousData,
  })
}

export type ImportRow = Schemas['LinkImportRow']

/** The rows of an import with their short URLs; those of earlier imports are not kept. */
export function rowsQuery(workspaceId: string, id: string, status: ImportRow['status'] | '') {
  return pagedQuery([workspaceId, 'import-rows', id, status], (page, signal) => {
    const query = { ...page, limit: PAGE_ROWS, ...(status === '' ? {} : { status }) }
    return ask(api.GET('/links/imports/{id}/rows', { params: { path: { id }, query }, signal }))
  })
}

export function isJson({ name }: File): boolean {
  return /\.json$/i.test(name)
}

export function cancelImport(id: string): Promise<LinkImport> {
  return dataOf(api.POST('/links/imports/{id}/cancel', { params: { path: { id } } }))
}

/** Takes an import back; answers how many links are as before, and how many were left alone. */
export async function undoImport(id: string): Promise<{ succeeded: number; skipped: number }> {
  const params = { path: { id } }
  const { meta } = await ask(api.POST('/links/imports/{id}/undo', { params }))
  return meta
}
