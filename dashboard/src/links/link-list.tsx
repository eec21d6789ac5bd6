import { defaultStringifySearch, useRouter } from '@tanstack/react-router'
import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  memo,
  useCallback,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/links.ts'
import { cellClass, ROW_GRID, tracksOf, type Column } from './columns.ts'
import { LinkRow, type RowLinks } from './link-row.tsx'
import type { Link } from './queries.ts'
import type { LinksSearch, LinkSort } from './search.ts'
import type { LinkRows } from './use-link-rows.ts'
import { useNarrow } from './use-narrow.ts'
import type { Selection } from './use-selection.ts'

const ROW_PX = { wide: 61, narrow: 65 }
const OVERSCAN_ROWS = 4

type Props = {
  workspaceId: string
  rows: LinkRows
  selection: Selection | null
  /** The row of the keyboard; -1: none yet. */
  active: number
  columns: readonly Column[]
  onTag: (tag: string) => void
  onMenu: (link: Link, at: HTMLElement) => void
}

/**
 * The rows in view alone are in the document, and their pages alone are read, so that 100,000 links scroll
 * as ten do and the End key needs one request.
 */
export function LinkList({ workspaceId, rows, selection, active, columns, onTag, onMenu }: Props) {
  const list = useRef<HTMLUListElement>(null)
  const isNarrow = useNarrow()
  const size = isNarrow ? ROW_PX.narrow : ROW_PX.wide
  const [scrollMargin, setScrollMargin] = useState(0)
  useLayoutEffect(() => {
    if (list.current) setScrollMargin(list.current.getBoundingClientRect().top + scrollY)
  }, [isNarrow, rows.count])
  const virtual = useWindowVirtualizer({
    count: rows.count,
    estimateSize: () => size,
    overscan: OVERSCAN_ROWS,
    scrollMargin,
    // The rows are deferred anyway; drawn in the event of the scrolling, they would share one long task with it.
    useFlushSync: false,
  })
  useEffect(() => virtual.measure(), [virtual, size])
  const inView = virtual.getVirtualItems()
  // Rows are rendered in slices of a few milliseconds, which a key or another step of scrolling interrupts.
  const items = useDeferredValue(inView)
  const shown = useDeferredValue(rows)
  const first = inView[0]?.index ?? 0
  const last = inView.at(-1)?.index ?? 0
  const { show } = rows
  useEffect(() => show(first, last))
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active, { align: 'auto' })
  }, [virtual, active])
  useRowFocus(list, shown.rowAt(active)?.id)
  const latest = useRef({ rows, selection })
  useEffect(() => {
    latest.current = { rows, selection }
  })
  const select: Select = useCallback((link, index, isRange) => {
    const { rows: now, selection: chosen } = latest.current
    if (isRange) chosen?.extendTo(index, now.rowAt)
    else chosen?.toggle(link, index)
  }, [])
  const links = useRowLinks(workspaceId, onTag, onMenu)
  return (
    <ul
      ref={list}
      aria-label={text.links.title}
      className={`relative rounded border border-line bg-card ${rows.isDimmed ? 'opacity-60' : ''}`}
      style={{ height: virtual.getTotalSize(), ...tracksOf(columns) }}
    >
      {items.map(({ index }) => {
        const link = shown.rowAt(index)
        return (
          <Row
            key={index}
            link={link}
            links={links}
            columns={columns}
            index={index}
            count={shown.count}
            height={size}
            top={index * size}
            isActive={index === active}
            isSelected={selection && link !== undefined && selection.has(link.id)}
            onSelect={select}
          />
        )
      })}
    </ul>
  )
}

/** The same object until the list belongs to another workspace, so that rows in view are not rendered again. */
function useRowLinks(
  workspaceId: string,
  onTag: (tag: string) => void,
  openMenu: RowLinks['openMenu'],
): RowLinks {
  const router = useRouter()
  return useMemo(() => {
    const to = '/$workspaceId/links/$linkId'
    const { href } = router.buildLocation({ to: '/$workspaceId/links', params: { workspaceId } })
    const base = router.history.createHref(href)
    return {
      toPage: (linkId) => `${base}/${linkId}`,
      toTag: (tag) => `${base}${defaultStringifySearch({ tag })}`,
      open: (linkId) => void router.navigate({ to, params: { workspaceId, linkId } }),
      filterByTag: onTag,
      openMenu,
    }
  }, [router, workspaceId, onTag, openMenu])
}

type Select = (link: Link, index: number, isRange: boolean) => void

type RowProps = {
  /** Undefined: its page is on its way. */
  link: Link | undefined
  links: RowLinks
  columns: readonly Column[]
  index: number
  count: number
  height: number
  top: number
  isActive: boolean
  /** Null: this user may not select. */
  isSelected: boolean | null
  onSelect: Select
}

/** A place of the list; one that stays in view is not rendered again. */
const Row = memo(function Row({
  link,
  links,
  columns,
  index,
  count,
  height,
  top,
  isActive,
  isSelected,
  onSelect,
}: RowProps) {
  return (
    <li
      data-id={link?.id}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={`absolute inset-x-0 border-b border-line ${isSelected ? 'bg-lake-fill' : ''}`}
      style={{ height, top }}
    >
      {isActive && <span className="absolute inset-y-0 start-0 w-[3px] bg-way" />}
      {link ? (
        <LinkRow
          link={link}
          links={links}
          columns={columns}
          isSelected={isSelected}
          onSelect={(isRange) => onSelect(link, index, isRange)}
        />
      ) : (
        <WaitingRow />
      )}
    </li>
  )
})

/** Moves the focus to the row of the keyboard, once it is in the document. */
function useRowFocus(list: RefObject<HTMLElement | null>, activeId: string | undefined): void {
  const focused = useRef<string | undefined>(undefined)
  useEffect(() => {
    if (activeId === focused.current) return
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${activeId}"] a`)
    if (!link) return
    focused.current = activeId
    link.focus({ preventScroll: true })
  })
}

/** A row whose page is on its way. */
function WaitingRow() {
  return (
    <div className={`${ROW_GRID} h-full`} aria-hidden="true">
      <span />
      <span className="flex flex-col gap-2">
        <span className="h-2.5 w-2/5 rounded-sm bg-sunk" />
        <span className="h-2.5 w-3/5 rounded-sm bg-sunk" />
      </span>
    </div>
  )
}

const SORTS: Partial<Record<Column, LinkSort>> = {
  periodClicks: 'periodClicks',
  clicks: 'clicks',
  lastClickedAt: 'lastClickedAt',
}
const NUMBERS: readonly Column[] = ['periodClicks', 'clicks', 'conversions']

/** The names of the columns on wide screens; some order the list. */
export function ListHead({
  sort,
  columns,
  onSort,
}: {
  sort: LinksSearch['sort']
  columns: readonly Column[]
  onSort: (sort: LinkSort | undefined) => void
}) {
  const names = text.linkList.columns
  return (
    <div className={`${ROW_GRID} pb-1 text-soft max-md:hidden`} style={tracksOf(columns)}>
      <span />
      <SortButton label={names.name} by="name" sort={sort} onSort={onSort} />
      {columns.map((column) => {
        const by = SORTS[column]
        const end = NUMBERS.includes(column)
        return (
          <span key={column} className={`min-w-0 ${cellClass(column)} ${end ? 'text-end' : ''}`}>
            {by ? (
              <SortButton label={names[column]} by={by} sort={sort} onSort={onSort} isEnd={end} />
            ) : (
              names[column]
            )}
          </span>
        )
      })}
    </div>
  )
}

function SortButton({
  label,
  by,
  sort,
  onSort,
  isEnd = false,
}: {
  label: string
  by: LinkSort
  sort: LinksSearch['sort']
  onSort: (sort: LinkSort | undefined) => void
  isEnd?: boolean
}) {
  const isChosen = sort === by
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      title={text.linkList.sortBy(label)}
      className={`flex min-h-8 items-center gap-1 hover:text-ink ${isEnd ? 'w-full justify-end' : ''} ${isChosen ? 'font-semibold text-ink' : ''}`}
      onClick={() => onSort(isChosen ? undefined : by)}
    >
      {label}
      {isChosen && <Icon name={by === 'name' ? 'arrow-up' : 'arrow-down'} size={12} />}
    </button>
  )
}
