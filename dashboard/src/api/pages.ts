import {
  useInfiniteQuery,
  type InfiniteData,
  type QueryKey,
  type UseInfiniteQueryOptions,
} from '@tanstack/react-query'

type Row = { readonly id: string } | { readonly userId: string } | { readonly row: number }

type Page<R> = {
  readonly data: readonly R[]
  readonly meta: { readonly offset: number; readonly total: number }
}

type PagedOptions<P> = UseInfiniteQueryOptions<P, Error, InfiniteData<P, number>, QueryKey, number>

const PAGE_ROWS = 50

/** The offset of the page after this one; undefined: it is the last. */
function nextOffset({ data, meta }: Page<unknown>): number | undefined {
  const next = meta.offset + data.length
  return data.length > 0 && next < meta.total ? next : undefined
}

/**
 * A list that is read page by page. Its rows stay, dimmed, while others are read for the same workspace.
 * @param key begins with the id of the workspace
 * @param refetchMs until the pages that are shown are read again; false: they are not
 */
export function pagedQuery<P extends Page<Row>>(
  key: readonly [workspaceId: string, ...QueryKey],
  read: (page: { limit: number; offset: number }, signal: AbortSignal) => Promise<P>,
  refetchMs?: (pages: readonly P[], hasFailed: boolean) => number | false,
): PagedOptions<P> {
  return {
    queryKey: key,
    queryFn: ({ pageParam, signal }) => read({ limit: PAGE_ROWS, offset: pageParam }, signal),
    initialPageParam: 0,
    getNextPageParam: nextOffset,
    placeholderData: (before, query) => (query?.queryKey[0] === key[0] ? before : undefined),
    ...(refetchMs && {
      refetchInterval: ({ state }) => refetchMs(state.data?.pages ?? [], state.status === 'error'),
    }),
  }
}

/**
 * A list that is read page by page: its query, its rows, each once, and the `meta` of its first page. New entries move older
 * ones to the next page, which repeats them.
 */
export function usePages<P extends Page<Row>>(options: PagedOptions<P>) {
  const list = useInfiniteQuery(options)
  const pages = list.data?.pages ?? []
  const meta: P['meta'] | undefined = pages[0]?.meta
  const rows = new Map<string | number, P['data'][number]>()
  for (const { data } of pages) for (const row of data) rows.set(keyOf(row), row)
  return { list, rows: [...rows.values()], meta, total: meta?.total }
}

function keyOf(row: Row): string | number {
  if ('id' in row) return row.id
  return 'userId' in row ? row.userId : row.row
}
