import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { memo, useCallback, useMemo, useState } from 'react'
import { fileUrl } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { copyText } from '../kit/copy-button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatClock } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/links.ts'
import type { Target } from './bulk.ts'
import { BulkBar } from './bulk-bar.tsx'
import type { Column } from './columns.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { Filters } from './filters.tsx'
import { LinkList, ListHead } from './link-list.tsx'
import { LinkMenu } from './link-menu.tsx'
import { linkQuery, type Link } from './queries.ts'
import { columnsOf, isFiltered, toFilter, type LinksSearch } from './search.ts'
import { useKeys } from '../kit/use-keys.ts'
import { useDeletion } from './bulk-actions.tsx'
import { useLinkRows, type LinkRows } from './use-link-rows.ts'
import { ViewsMenu } from './views-menu.tsx'
import { useSelection, type Selection } from './use-selection.ts'

const LinkDrawer = lazyPart(() => import('./link-drawer.tsx'), 'LinkDrawer')
const QrPopup = lazyPart(() => import('./qr-popup.tsx'), 'QrPopup')
const GroupsDrawer = lazyPart(() => import('./groups-drawer.tsx'), 'GroupsDrawer')

type Change = (part: Partial<LinksSearch>, replace?: boolean) => void

export function LinksPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/links' })
  const navigate = useNavigate({ from: '/$workspaceId/links' })
  const change: Change = useCallback(
    (part, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...part }), replace, resetScroll: false }),
    [navigate],
  )
  const mayWrite = useMay('member')
  const rows = useLinkRows(workspaceId, search)
  const { total, isExact, asOf } = rows
  return (
    <>
      <Head {...{ total, isExact, asOf, search, mayWrite }} onChange={change} />
      <Filters search={search} isListed={!rows.isPending} onChange={change} />
      <ErrorNote error={rows.error} onRetry={rows.refetch} />
      {rows.isPending && <Skeleton rows={8} />}
      {rows.total === 0 && (
        <Empty icon="link" title={isFiltered(search) ? text.links.noneFound : text.links.none_}>
          <p>{isFiltered(search) ? text.links.noneFoundHint : text.links.emptyHint}</p>
          {mayWrite && !isFiltered(search) && (
            <Button
              look="primary"
              icon="plus"
              className="mt-4"
              onClick={() => change({ new: true })}
            >
              {text.names.newLink}
            </Button>
          )}
        </Empty>
      )}
      {rows.count > 0 && (
        // Another filter begins without a selection: an action must not touch links that are out of sight.
        <Listed
          key={JSON.stringify(toFilter(search))}
          workspaceId={workspaceId}
          search={search}
          rows={rows}
          mayWrite={mayWrite}
          onChange={change}
        />
      )}
      <Opened search={search} mayWrite={mayWrite} onChange={change} />
    </>
  )
}

/** Not rendered again when other rows come into view. */
const Head = memo(function Head({
  total,
  isExact,
  asOf,
  search,
  mayWrite,
  onChange,
}: Pick<LinkRows, 'total' | 'isExact' | 'asOf'> & {
  search: LinksSearch
  mayWrite: boolean
  onChange: Change
}) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const filter = Object.entries(toFilter(search)).map(([key, value]) => [key, String(value)])
  const counted = asOf && `${text.actions.countedUpTo} ${formatClock(asOf)}`
  const note =
    total !== undefined &&
    [isExact ? text.links.count(total) : text.linkList.moreThan(total), counted]
      .filter(Boolean)
      .join(', ')
  return (
    <PageHead title={text.links.title} note={note}>
      <ViewsMenu search={search} isListed={total !== undefined} />
      <ColumnsMenu search={search} onChange={onChange} />
      <Menu trigger={<IconButton icon="ellipsis" label={text.linkList.more} />}>
        <MenuItem
          icon="download"
          render={
            <a
              aria-label={text.linkList.export}
              href={fileUrl(
                '/links/export.csv',
                Object.fromEntries(filter) as Record<string, string>,
              )}
              download
            />
          }
        >
          {text.linkList.export}
        </MenuItem>
        {mayWrite && (
          <MenuItem
            icon="upload"
            onSelect={() =>
              void navigate({ to: '/$workspaceId/links/import', params: { workspaceId } })
            }
          >
            {text.linkList.import}
          </MenuItem>
        )}
        <MenuItem icon="folder" onSelect={() => onChange({ organize: 'folders' })}>
          {text.linkList.organize}
        </MenuItem>
      </Menu>
      {mayWrite && (
        <Button
          look="primary"
          icon="plus"
          hotkey="C"
          className="max-md:hidden"
          onClick={() => onChange({ new: true })}
        >
          {text.names.newLink}
        </Button>
      )}
    </PageHead>
  )
})

type ListedProps = {
  workspaceId: string
  search: LinksSearch
  rows: LinkRows
  mayWrite: boolean
  onChange: Change
}

/** The rows, their selection and their keys. */
function Listed({ workspaceId, search, rows, mayWrite, onChange }: ListedProps) {
  const selection = useSelection()
  const [active, setActive] = useState(-1)
  const [qrOf, setQrOf] = useState<Link | null>(null)
  const [menu, setMenu] = useState<OpenedMenu | null>(null)
  const openMenu = useCallback(
    (link: Link, at: HTMLElement) =>
      setMenu((before) => ({ link, at, key: (before?.key ?? 0) + 1 })),
    [],
  )
  const columns = useShownColumns(search, rows.hasConversions)
  const deletion = useDeletion(selection.clear)
  const onTag = useCallback((tag: string) => onChange({ tag }), [onChange])
  const target: Target = selection.isAll
    ? { filter: toFilter(search), count: rows.count }
    : { links: [...selection.chosen.values()] }
  useListKeys({
    rows,
    selection,
    active,
    setActive,
    mayWrite,
    onChange,
    setQrOf,
    remove: (links) => deletion.ask(links.length > 0 ? { links } : target),
  })
  return (
    <>
      <ListHead sort={search.sort} columns={columns} onSort={(sort) => onChange({ sort })} />
      <LinkList
        workspaceId={workspaceId}
        rows={rows}
        active={active}
        selection={mayWrite ? selection : null}
        columns={columns}
        onTag={onTag}
        onMenu={openMenu}
      />
      {!selection.isEmpty && (
        <BulkBar
          target={target}
          allCount={
            rows.isExact ? formatNumber(rows.count) : text.linkList.moreThan(rows.total ?? 0)
          }
          onSelectAll={
            selection.isAll || !rows.isExact || selection.chosen.size >= rows.count
              ? null
              : selection.selectAll
          }
          deletion={deletion}
          onDone={selection.clear}
        />
      )}
      {menu && (
        <LinkMenu
          key={menu.key}
          link={menu.link}
          anchor={menu.at}
          mayWrite={mayWrite}
          onQr={() => setQrOf(menu.link)}
          onEdit={() => onChange({ edit: menu.link.id })}
          onDelete={() => deletion.ask({ links: [menu.link] })}
        />
      )}
      {deletion.question}
      {qrOf && <QrPopup link={qrOf} onClose={() => setQrOf(null)} />}
    </>
  )
}

/** The button of a row at which the menu is open; another number is another opening. */
type OpenedMenu = { link: Link; at: HTMLElement; key: number }

/** The same list until another one is chosen, so that rows in view are not rendered again. */
function useShownColumns(search: LinksSearch, hasConversions: boolean): readonly Column[] {
  return useMemo(
    () =>
      columnsOf({ columns: search.columns }).filter(
        (column) => column !== 'conversions' || hasConversions,
      ),
    [search.columns, hasConversions],
  )
}

type ListKeys = {
  rows: LinkRows
  selection: Selection
  active: number
  setActive: (index: number) => void
  mayWrite: boolean
  onChange: Change
  setQrOf: (link: Link) => void
  /** Deletes these links, or the selected ones when the list is empty. */
  remove: (links: readonly Link[]) => void
}

/** J and K move, with Shift they select; the other keys act on the row, `#` on the selection if there is one. */
function useListKeys({
  rows,
  selection,
  active,
  setActive,
  mayWrite,
  onChange,
  setQrOf,
  remove,
}: ListKeys) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const link = rows.rowAt(active)
  const move = (step: number) => (event: KeyboardEvent) => {
    const next = Math.min(Math.max(active + step, 0), rows.count - 1)
    setActive(next)
    if (!event.shiftKey || !mayWrite) return
    if (selection.isEmpty && link) selection.toggle(link, active)
    selection.extendTo(next, rows.rowAt)
  }
  useKeys({
    j: move(1),
    k: move(-1),
    Enter:
      link !== undefined &&
      (() =>
        void navigate({
          to: '/$workspaceId/links/$linkId',
          params: { workspaceId, linkId: link.id },
        })),
    x: mayWrite && link !== undefined && (() => selection.toggle(link, active)),
    e: mayWrite && link !== undefined && (() => onChange({ edit: link.id })),
    y:
      link !== undefined &&
      (() => void copyText(link.shortUrl).then(() => showToast(text.links.copied(link.shortUrl)))),
    q: link !== undefined && (() => setQrOf(link)),
    '#':
      mayWrite &&
      (link !== undefined || !selection.isEmpty) &&
      (() => remove(selection.isEmpty && link ? [link] : [])),
    Escape: !selection.isEmpty && selection.clear,
  })
}

/** The drawer that the address names. */
function Opened({
  search,
  mayWrite,
  onChange,
}: {
  search: LinksSearch
  mayWrite: boolean
  onChange: Change
}) {
  if (search.organize)
    return (
      <GroupsDrawer
        kind={search.organize}
        mayWrite={mayWrite}
        onKind={(organize) => onChange({ organize }, true)}
        onShow={(filter) => onChange({ organize: undefined, ...filter })}
        onClose={() => onChange({ organize: undefined })}
      />
    )
  if (!mayWrite) return null
  if (search.edit)
    return <EditLink id={search.edit} onClose={() => onChange({ edit: undefined })} />
  if (search.new)
    return <NewLink url={search.url} onClose={() => onChange({ new: undefined, url: undefined })} />
  return null
}

function EditLink({ id, onClose }: { id: string; onClose: () => void }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const link = useQuery(linkQuery(workspaceId, id))
  if (link.error && !link.data)
    return <ErrorNote error={link.error} onRetry={() => void link.refetch()} />
  if (!link.data) return null
  return <LinkDrawer link={link.data} onClose={onClose} onSaved={onClose} />
}

function NewLink({ url, onClose }: { url: string | undefined; onClose: () => void }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  return (
    <LinkDrawer
      onClose={onClose}
      {...(url ? { url } : {})}
      onSaved={({ id: linkId }) =>
        void navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId } })
      }
    />
  )
}
