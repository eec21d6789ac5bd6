import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { LinkRow, ROW_GRID } from './link-row.tsx'
import type { LinksSearch, LinkSort } from './search.ts'
import type { LinkRows } from './use-link-rows.ts'
import { useNarrow } from './use-narrow.ts'
import type { Selection } from './use-selection.ts'

const ROW_PX = { wide: 45, narrow: 65 }
const OVERSCAN_ROWS = 8

type Props = {
  workspaceId: string
  rows: LinkRows
  selection: Selection | null
  /** The row of the keyboard; -1: none yet. */
  active: number
}

/**
 * The rows in view alone are in the document, and their pages alone are read, so that 100,000 links scroll
 * as ten do and the End key needs one request.
 */
export function LinkList({ workspaceId, rows, selection, active }: Props) {
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
  })
  useEffect(() => virtual.measure(), [virtual, size])
  const items = virtual.getVirtualItems()
  const first = items[0]?.index ?? 0
  const last = items.at(-1)?.index ?? 0
  const { show } = rows
  useEffect(() => show(first, last))
  useEffect(() => {
    if (active >= 0) virtual.scrollToIndex(active, { align: 'auto' })
  }, [virtual, active])
  const activeId = rows.rowAt(active)?.id
  useEffect(() => {
    if (activeId === undefined) return
    const link = list.current?.querySelector<HTMLElement>(`[data-id="${activeId}"] a`)
    link?.focus({ preventScroll: true })
  }, [activeId])
  return (
    <ul
      ref={list}
      aria-label={text.links.title}
      className={`relative rounded border border-line bg-card ${rows.isDimmed ? 'opacity-60' : ''}`}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map(({ index, start }) => {
        const link = rows.rowAt(index)
        const isSelected = link !== undefined && selection !== null && selection.has(link.id)
        return (
          <li
            key={index}
            data-id={link?.id}
            aria-setsize={rows.count}
            aria-posinset={index + 1}
            className={`absolute inset-x-0 border-b border-line ${isSelected ? 'bg-lake-fill' : ''}`}
            style={{ height: size, top: start - scrollMargin }}
          >
            {index === active && <span className="absolute inset-y-0 left-0 w-[3px] bg-way" />}
            {link ? (
              <LinkRow
                link={link}
                workspaceId={workspaceId}
                isSelected={selection && isSelected}
                onSelect={(isRange) =>
                  isRange ? selection?.extendTo(index, rows.rowAt) : selection?.toggle(link, index)
                }
              />
            ) : (
              <WaitingRow />
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** A row whose page is on its way. */
function WaitingRow() {
  return (
    <div className={`${ROW_GRID} h-full`} aria-hidden="true">
      <span />
      <span className="h-2.5 w-3/5 rounded-sm bg-sunk" />
    </div>
  )
}

const COLUMNS = [
  ['name', 'name'],
  ['destination', null],
  ['tags', null],
  ['periodClicks', 'periodClicks'],
  ['lastClickedAt', 'lastClickedAt'],
] as const satisfies readonly (readonly [keyof typeof text.linkList.columns, LinkSort | null])[]

/** The names of the columns on wide screens; some order the list. */
export function ListHead({
  sort,
  onSort,
}: {
  sort: LinksSearch['sort']
  onSort: (sort: LinkSort | undefined) => void
}) {
  return (
    <div className={`${ROW_GRID} pb-1 text-soft max-md:hidden`}>
      <span />
      {COLUMNS.map(([column, by]) => {
        const label = text.linkList.columns[column]
        if (by === null) return <span key={column}>{label}</span>
        const isChosen = sort === by
        return (
          <button
            key={column}
            type="button"
            aria-pressed={isChosen}
            title={text.linkList.sortBy(label)}
            className={`flex min-h-8 items-center gap-1 hover:text-ink ${by === 'periodClicks' ? 'justify-end' : ''} ${isChosen ? 'font-semibold text-ink' : ''}`}
            onClick={() => onSort(isChosen ? undefined : by)}
          >
            {label}
            {isChosen && <Icon name={by === 'name' ? 'arrow-up' : 'arrow-down'} size={12} />}
          </button>
        )
      })}
    </div>
  )
}
