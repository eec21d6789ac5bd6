import type { ReactNode } from 'react'
import { text } from '../text/shared.ts'
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

const BOXED = 'rounded border border-line bg-card'

/** The rows of a list, or what is there instead of them, and a button for more. */
export function PagedList<Row>({
  label,
  pages: { list, rows },
  empty,
  isInCard = false,
  className = isInCard ? 'pt-2' : BOXED,
  waiting = { rows: 3, height: 64 },
  more,
  note,
  children,
}: {
  label: string
  pages: { list: List; rows: readonly Row[] }
  /** In the place of no rows. */
  empty?: ReactNode
  /** The list is the content of a card, which has no padding of its own. */
  isInCard?: boolean
  /** Of the list. */
  className?: string
  /** Rows that have not arrived. */
  waiting?: { rows: number; height: number }
  /** The button for more rows, and what stands beside it. */
  more?: string
  note?: ReactNode
  children: (row: Row, place: number) => ReactNode
}) {
  return (
    <>
      {list.error && (
        <div className={isInCard ? 'p-3' : ''}>
          <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <Skeleton {...waiting} />}
      {list.data !== undefined && rows.length === 0 && empty}
      {rows.length > 0 && (
        <ul
          aria-label={label}
          className={`${className} ${list.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {rows.map(children)}
        </ul>
      )}
      <MoreButton list={list} note={note} className={isInCard ? 'p-3' : 'mt-3'}>
        {more}
      </MoreButton>
    </>
  )
}

/** Reads the next page of a list that has one. */
export function MoreButton({
  list,
  note,
  className = '',
  children = text.actions.more,
}: {
  list: Pick<List, 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'>
  note?: ReactNode
  className?: string
  children?: ReactNode
}) {
  if (!list.hasNextPage) return null
  return (
    <div className={`flex items-center gap-3 ${className}`}>
      <Button isBusy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {children}
      </Button>
      {note && <span className="text-sm text-soft">{note}</span>}
    </div>
  )
}
