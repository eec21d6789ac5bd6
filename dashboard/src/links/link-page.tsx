import { usePrefetchQuery, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Figures } from '../figures/figures.tsx'
import { LiveFeed } from '../figures/live-feed.tsx'
import { summaryQuery } from '../figures/queries.ts'
import { toSearch, type FigureSearch } from '../figures/search.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { CopyButton, copyText } from '../kit/copy-button.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Breadcrumb, Unread } from '../kit/object-page.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/link-page.ts'
import { statusActions, useDelete, useSetStatus } from './link-actions.tsx'
import { LinkHistory } from './link-history.tsx'
import { Targets } from './link-targets.tsx'
import { historyQuery, linkQuery, type Link } from './queries.ts'
import type { LinkSearch, Opened } from './search.ts'
import { StatusLine } from './status-line.tsx'
import { useKeys } from '../kit/use-keys.ts'
import { useTabTitle } from '../kit/tab-title.ts'

/** Clicks are counted also while the feed is not connected. */
const REFRESH_MS = 10_000

const LinkDrawer = lazyPart(() => import('./link-drawer.tsx'), 'LinkDrawer')
const LinkExplain = lazyPart(() => import('./link-explain.tsx'), 'LinkExplain')
const QrPopup = lazyPart(() => import('./qr-popup.tsx'), 'QrPopup')

const LIST = '/$workspaceId/links'

export function LinkPage() {
  const { workspaceId, linkId } = useParams({ from: '/signed-in/$workspaceId/links/$linkId' })
  const { open, ...figures } = useSearch({ from: '/signed-in/$workspaceId/links/$linkId' })
  const navigate = useNavigate({ from: '/$workspaceId/links/$linkId' })
  const link = useQuery({ ...linkQuery(workspaceId, linkId), refetchInterval: REFRESH_MS })
  // The slowest of the page, which would wait for the link otherwise.
  usePrefetchQuery(summaryQuery(workspaceId, { linkId }, figures))
  const { rows: history, total = 0 } = usePages(historyQuery(workspaceId, linkId))
  const versions = history.map(({ changedAt }, index) => ({
    number: total - index,
    since: changedAt,
  }))
  const mayWrite = useMay('member')
  // A blocked link can be deleted, and nothing else.
  const mayChange = mayWrite && link.data?.status !== 'blocked'
  const change = (part: Partial<LinkSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }), resetScroll: false })
  const changeFigures = (part: Partial<FigureSearch>) =>
    void navigate({ search: (now) => toSearch(now, part), resetScroll: false })
  const show = (next: Opened | undefined) => change({ open: next })
  const close = () => show(undefined)
  const isGone = link.error instanceof ApiError && link.error.status === 404
  if (!link.data || isGone)
    return (
      <Unread
        to={LIST}
        title={text.links.title}
        read={link}
        icon="link-2"
        missing={text.links.missing}
      />
    )
  return (
    <>
      <LinkHead link={link.data} mayWrite={mayWrite} mayChange={mayChange} onOpen={show} />
      <Targets link={link.data} />
      <Figures
        scope={{ linkId }}
        search={figures}
        onChange={changeFigures}
        versions={versions}
        unvisitedUrl={link.data.clicks === 0 ? link.data.shortUrl : undefined}
        aside={<LiveFeed linkId={linkId} />}
      />
      <LinkHistory linkId={linkId} mayWrite={mayChange} />
      <CopyBar value={link.data.shortUrl} />
      {open === 'edit' && mayWrite && (
        <LinkDrawer link={link.data} onClose={close} onSaved={close} />
      )}
      {open === 'qr' && <QrPopup link={link.data} onClose={close} />}
      {open === 'explain' && <LinkExplain link={link.data} onClose={close} />}
    </>
  )
}

/** On phones the first action stays above the navigation, within reach of the thumb. */
function CopyBar({ value }: { value: string }) {
  return (
    <div className="h-12 md:hidden">
      <div className="fixed inset-x-0 bottom-[calc(57px+env(safe-area-inset-bottom))] z-10 border-t border-line bg-paper px-4 py-2 [@media(max-height:520px)]:static [@media(max-height:520px)]:border-t-0 [@media(max-height:520px)]:px-0">
        <CopyButton look="primary" value={value} label={text.links.copyLink} className="w-full" />
      </div>
    </div>
  )
}

type HeadProps = {
  link: Link
  mayWrite: boolean
  mayChange: boolean
  onOpen: (open: Opened) => void
}

function LinkHead(props: HeadProps) {
  const { link, mayWrite, mayChange, onOpen } = props
  const remove = useDelete(link)
  const [isAsking, setAsking] = useState(false)
  const askOrDelete = () => (link.clicks > 0 ? setAsking(true) : remove.mutate())
  useKeys({
    y: () => void copyText(link.shortUrl).then(() => showToast(text.links.copied(link.shortUrl))),
    q: () => onOpen('qr'),
    e: mayChange && (() => onOpen('edit')),
    '#': mayWrite && !remove.isPending && askOrDelete,
  })
  useTabTitle(`${link.domain}/${link.slug}`)
  return (
    <>
      <Breadcrumb to={LIST} title={text.links.title} here={link.name} />
      <header className="flex flex-wrap items-center justify-between gap-3 py-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-4">
          <h1 className="font-mono text-xl wrap-anywhere">
            <span className="text-soft">{link.domain}/</span>
            <wbr />
            <b className="font-bold">{link.slug}</b>
          </h1>
          <StatusLine link={link} />
        </div>
        <div className="flex flex-wrap gap-2">
          <CopyButton look="primary" value={link.shortUrl} hotkey="Y" className="max-md:hidden" />
          <Button icon="qr-code" hotkey="Q" onClick={() => onOpen('qr')}>
            {text.links.qr}
          </Button>
          {mayChange && (
            <Button icon="pencil" hotkey="E" onClick={() => onOpen('edit')}>
              {text.actions.edit}
            </Button>
          )}
          <MoreMenu {...props} onDelete={askOrDelete} />
        </div>
      </header>
      {isAsking && (
        <Confirm
          title={text.linkPage.deleteTitle(link.slug)}
          action={text.links.delete}
          onConfirm={() => remove.mutateAsync()}
          onClose={() => setAsking(false)}
        >
          {text.linkPage.deleteExplain(link.clicks)}
        </Confirm>
      )}
    </>
  )
}

type MenuProps = HeadProps & { onDelete: () => void }

function MoreMenu({ link, mayWrite, mayChange, onOpen, onDelete }: MenuProps) {
  const navigate = useNavigate()
  const mayReadReports = useMay('admin')
  const setStatus = useSetStatus(link)
  const { id: linkId, workspaceId } = link
  const params = { workspaceId }
  return (
    <RowMenu
      label={text.actions.more}
      actions={[
        { icon: 'split', label: text.linkPage.explain, onSelect: () => onOpen('explain') },
        ...(mayChange ? statusActions(link, setStatus) : []),
        mayWrite && {
          icon: 'eye',
          label: text.names.share,
          onSelect: () =>
            void navigate({
              to: '/$workspaceId/dashboards',
              params,
              search: { new: true, linkId },
            }),
        },
        mayWrite && {
          icon: 'bell',
          label: text.linkPage.alert,
          onSelect: () =>
            void navigate({
              to: '/$workspaceId/alerts',
              params,
              search: { new: true, linkId },
            }),
        },
        mayReadReports && {
          icon: 'flag',
          label: text.linkPage.abuseReports,
          onSelect: () =>
            void navigate({
              to: '/$workspaceId/settings/abuse-reports',
              params,
              search: { linkId },
            }),
        },
        mayWrite && {
          icon: 'trash-2',
          label: text.links.delete,
          isDanger: true,
          onSelect: onDelete,
        },
      ]}
    />
  )
}
