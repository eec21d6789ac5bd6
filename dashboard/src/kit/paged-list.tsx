import type { ReactNode } from 'react'
import { text } from '../text/en.ts'
import { Button } from './button.tsx'
import { ErrorNote } from './error-note.tsx'
import { Skeleton } from './layout.tsx'

type List = {
  error: Error | null
  data: unknown
  isPending: boolean
  isPlaceholderData: boolean
  hasNextPage: boolean
  isFetchingNextPage: boolean
  refetch: () => unknown
  fetchNextPage: () => unknown
}

/** The rows of a list, or what is there instead of them, and a button for more. */
export function PagedList<Row>({
  label,
  pages: { list, rows },
  empty,
  children,
}: {
  label: string
  pages: { list: List; rows: readonly Row[] }
  /** In the place of no rows. */
  empty: ReactNode
  children: (row: Row) => ReactNode
}) {
  return (
    <>
      <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
      {list.isPending && <Skeleton rows={3} height={64} />}
      {list.data !== undefined && rows.length === 0 && empty}
      {rows.length > 0 && (
        <ul
          aria-label={label}
          className={`rounded border border-line bg-card ${list.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {rows.map(children)}
        </ul>
      )}
      {list.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={list.isFetchingNextPage}
          onClick={() => void list.fetchNextPage()}
        >
          {text.actions.more}
        </Button>
      )}
    </>
  )
}
