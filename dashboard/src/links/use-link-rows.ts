import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { startTransition, useState } from 'react'
import { linkPageQuery, PAGE_ROWS, type Link, type LinkPage } from './queries.ts'
import type { LinksSearch } from './search.ts'

/** The rows of a list of any length: only the pages in view are read. */
export function useLinkRows(workspaceId: string, search: LinksSearch) {
  const queryClient = useQueryClient()
  const [inView, setInView] = useState<readonly number[]>([])
  const first = useQuery({
    ...linkPageQuery(workspaceId, search, 0),
    placeholderData: keepPreviousData,
  })
  const others = inView.filter((page) => page > 0)
  const answers = useQueries({
    queries: others.map((page) => linkPageQuery(workspaceId, search, page)),
  })
  const pages = new Map<number, LinkPage>()
  if (first.data) pages.set(0, first.data)
  others.forEach((page, index) => {
    const data = answers[index]?.data
    if (data) pages.set(page, data)
  })
  const meta = first.data?.meta
  const isEarning = [...pages.values()].some(({ meta: of }) => (of.currencies ?? []).length > 0)
  // The column stays while rows without conversions are in view.
  const [earningIn, setEarningIn] = useState<string | null>(null)
  if (isEarning && earningIn !== workspaceId) setEarningIn(workspaceId)
  const isExact = meta?.totalIsExact !== false
  return {
    total: meta?.total,
    isExact,
    count: isExact ? (meta?.total ?? 0) : toKnownCount(meta.total, pages),
    asOf: meta?.asOf,
    /** Whether a link that was read has conversions, which a plan without them never has. */
    hasConversions: earningIn === workspaceId,
    rowAt: (index: number): Link | undefined => {
      const page = Math.floor(index / PAGE_ROWS)
      const { queryKey } = linkPageQuery(workspaceId, search, page)
      const known = pages.get(page) ?? queryClient.getQueryData<LinkPage>(queryKey)
      return known?.data[index % PAGE_ROWS]
    },
    show: (from: number, to: number) => {
      const firstPage = Math.floor(from / PAGE_ROWS)
      const length = Math.floor(to / PAGE_ROWS) - firstPage + 1
      const next = Array.from({ length }, (_, step) => firstPage + step)
      // Requests begin in a task of their own, after that of the scrolling.
      startTransition(() => setInView((now) => (String(now) === String(next) ? now : next)))
    },
    error: first.error ?? answers.find(({ error }) => error)?.error ?? null,
    refetch: () => {
      void first.refetch()
      for (const answer of answers) if (answer.error) void answer.refetch()
    },
    isPending: first.isPending,
    isDimmed: first.isPlaceholderData,
  }
}
export type LinkRows = ReturnType<typeof useLinkRows>

/** Beyond the number to which the server counts, the list grows by a page whenever its end comes into view. */
function toKnownCount(total: number, pages: ReadonlyMap<number, LinkPage>): number {
  let count = total + PAGE_ROWS
  for (const [page, { data, meta }] of pages) {
    const end = page * PAGE_ROWS + data.length
    if (data.length > 0 && meta.nextCursor === null) return end
    if (meta.nextCursor !== null) count = Math.max(count, end + PAGE_ROWS)
  }
  return count
}
