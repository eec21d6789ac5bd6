import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { useMay } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { INPUT } from '../kit/field.tsx'
import { Arm, Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { LinkDrawer } from './link-drawer.tsx'
import { LinkRow } from './link-row.tsx'
import { linksQuery, type Link } from './queries.ts'
import type { LinksSearch, LinkSort } from './search.ts'

const ROW_PX = { wide: 45, narrow: 65 }
const NARROW = '(max-width: 767px)'

export function LinksPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/links' })
  const navigate = useNavigate({ from: '/$workspaceId/links' })
  const mayWrite = useMay('member')
  const links = useInfiniteQuery(linksQuery(workspaceId, search))
  const rows = links.data?.pages.flatMap(({ data }) => data) ?? []
  const total = links.data?.pages[0]?.meta.total
  const change = (part: Partial<LinksSearch>, replace = false) =>
    void navigate({ search: (now) => ({ ...now, ...part }), replace })
  const isFiltered = Boolean(
    search.q ?? search.tag ?? search.folderId ?? search.campaignId ?? search.status,
  )
  return (
    <>
      <PageHead title={text.links.title} note={total !== undefined && text.links.count(total)}>
        {mayWrite && (
          <Button look="primary" icon="plus" hotkey="C" onClick={() => change({ new: true })}>
            {text.links.newLink}
          </Button>
        )}
      </PageHead>
      <Filters search={search} onChange={change} />
      <ErrorNote error={links.error} onRetry={() => void links.refetch()} />
      {links.isPending && <Skeleton rows={8} />}
      {links.data && rows.length === 0 && (
        <Empty icon="link" title={isFiltered ? text.links.noneFound : text.links.none_}>
          {isFiltered ? text.links.noneFoundHint : text.links.emptyHint}
        </Empty>
      )}
      {rows.length > 0 && (
        <Rows
          workspaceId={workspaceId}
          rows={rows}
          isDimmed={links.isPlaceholderData}
          onEnd={() => {
            if (links.hasNextPage && !links.isFetchingNextPage) void links.fetchNextPage()
          }}
        />
      )}
      {search.new && mayWrite && (
        <NewLink url={search.url} onClose={() => change({ new: undefined, url: undefined })} />
      )}
    </>
  )
}

function NewLink({ url, onClose }: { url: string | undefined; onClose: () => void }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const known = queryClient.getQueriesData<{ pages: { data: Link[] }[] }>({
    queryKey: [workspaceId, 'links'],
  })
  const host =
    known.flatMap(([, data]) => data?.pages[0]?.data[0]?.domain ?? [])[0] ?? location.host
  return (
    <LinkDrawer
      host={host}
      onClose={onClose}
      {...(url ? { url } : {})}
      onSaved={({ id: linkId }) =>
        void navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId } })
      }
    />
  )
}

function Filters({
  search,
  onChange,
}: {
  search: LinksSearch
  onChange: (part: Partial<LinksSearch>, replace?: boolean) => void
}) {
  const [typed, setTyped] = useState(search.q ?? '')
  const sorts: readonly LinkSort[] = [
    'createdAt',
    'periodClicks',
    'clicks',
    'lastClickedAt',
    'name',
  ]
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <form
        role="search"
        className="min-w-52 flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ q: typed.trim() || undefined })
        }}
      >
        <input
          type="search"
          className={INPUT}
          aria-label={text.links.search}
          placeholder={text.links.search}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '') onChange({ q: undefined })
          }}
        />
      </form>
      <select
        aria-label={text.links.sort}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11"
        value={search.sort ?? 'createdAt'}
        onChange={(event) => onChange({ sort: event.target.value as LinkSort })}
      >
        {sorts.map((sort) => (
          <option key={sort} value={sort}>
            {text.links.sorts[sort]}
          </option>
        ))}
      </select>
      <select
        aria-label={text.links.status}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11"
        value={search.status ?? ''}
        onChange={(event) =>
          onChange({ status: (event.target.value || undefined) as LinksSearch['status'] })
        }
      >
        <option value="">{text.links.anyStatus}</option>
        {Object.entries(text.links.statuses).map(([status, label]) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </select>
      {search.tag !== undefined && (
        <Arm>
          {text.links.tagFilter} <b className="font-semibold">{search.tag}</b>
          <IconButton
            icon="x"
            label={text.links.removeTag}
            className="size-7!"
            onClick={() => onChange({ tag: undefined })}
          />
        </Arm>
      )}
    </div>
  )
}

/** The rows in view alone are in the document, so that 100,000 links scroll as ten do. */
function Rows({
  workspaceId,
  rows,
  isDimmed,
  onEnd,
}: {
  workspaceId: string
  rows: readonly Link[]
  isDimmed: boolean
  onEnd: () => void
}) {
  const list = useRef<HTMLUListElement>(null)
  const size = matchMedia(NARROW).matches ? ROW_PX.narrow : ROW_PX.wide
  const [scroller] = useState(() => document.documentElement)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller,
    estimateSize: () => size,
    overscan: 10,
    scrollMargin: list.current?.offsetTop ?? 0,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - 10) onEnd()
  })
  return (
    <ul
      ref={list}
      aria-label={text.links.title}
      className={`relative rounded border border-line bg-card ${isDimmed ? 'opacity-60' : ''}`}
      style={{ height: virtual.getTotalSize() }}
    >
      {items.map(({ index, start }) => (
        <li
          key={rows[index]!.id}
          className="absolute inset-x-0 border-b border-line"
          style={{ height: size, top: start - virtual.options.scrollMargin }}
        >
          <LinkRow link={rows[index]!} workspaceId={workspaceId} />
        </li>
      ))}
    </ul>
  )
}
