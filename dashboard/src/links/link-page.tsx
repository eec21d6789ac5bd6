import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMay } from '../api/workspace.ts'
import { Figures } from '../figures/figures.tsx'
import { LiveFeed } from '../figures/live-feed.tsx'
import { Button, IconButton } from '../kit/button.tsx'
import { CopyButton, copyText } from '../kit/copy-button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Arm, Skeleton } from '../kit/layout.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { ExactTime } from '../kit/time.tsx'
import { text } from '../text/en.ts'
import { DeleteLink, useArchive } from './link-actions.tsx'
import { LinkDrawer } from './link-drawer.tsx'
import { LinkHistory } from './link-history.tsx'
import { LinkStatus } from './link-status.tsx'
import { QrPopup } from './qr-popup.tsx'
import { linkQuery, type Link } from './queries.ts'

type Open = 'edit' | 'qr' | 'delete' | null

export function LinkPage() {
  const { workspaceId, linkId } = useParams({ from: '/signed-in/$workspaceId/links/$linkId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/links/$linkId' })
  const navigate = useNavigate({ from: '/$workspaceId/links/$linkId' })
  const link = useQuery(linkQuery(workspaceId, linkId))
  const [open, setOpen] = useState<Open>(null)
  const mayWrite = useMay('member')
  useLinkKeys(link.data, mayWrite, setOpen)
  if (link.error) return <ErrorNote error={link.error} onRetry={() => void link.refetch()} />
  if (!link.data) return <Skeleton rows={6} height={56} />
  const close = () => setOpen(null)
  return (
    <>
      <LinkHead link={link.data} mayWrite={mayWrite} onOpen={setOpen} />
      <Targets link={link.data} />
      <Figures
        scope={{ linkId }}
        search={search}
        onChange={(change) => void navigate({ search: (now) => ({ ...now, ...change }) })}
        aside={<LiveFeed linkId={linkId} />}
      />
      <LinkHistory linkId={linkId} mayWrite={mayWrite} />
      {open === 'edit' && (
        <LinkDrawer link={link.data} host={link.data.domain} onClose={close} onSaved={close} />
      )}
      {open === 'qr' && <QrPopup link={link.data} onClose={close} />}
      {open === 'delete' && <DeleteLink link={link.data} onClose={close} />}
    </>
  )
}

function LinkHead({
  link,
  mayWrite,
  onOpen,
}: {
  link: Link
  mayWrite: boolean
  onOpen: (open: Open) => void
}) {
  const archive = useArchive(link)
  return (
    <>
      <nav aria-label={text.links.breadcrumb} className="text-sm text-soft">
        <RouterLink to="/$workspaceId/links" params={{ workspaceId: link.workspaceId }}>
          {text.links.title}
        </RouterLink>{' '}
        › {link.name}
      </nav>
      <header className="flex flex-wrap items-center justify-between gap-3 py-3">
        <h1 className="flex min-w-0 flex-wrap items-center gap-3 font-mono text-xl">
          <span className="break-all">
            <span className="text-soft">{link.domain}/</span>
            <b className="font-bold">{link.slug}</b>
          </span>
          <LinkStatus status={link.status} />
        </h1>
        <div className="flex flex-wrap gap-2">
          <CopyButton look="primary" value={link.shortUrl} hotkey="Y" />
          <Button icon="qr-code" hotkey="Q" onClick={() => onOpen('qr')}>
            {text.links.qr}
          </Button>
          {mayWrite && (
            <>
              <Button icon="pencil" hotkey="E" onClick={() => onOpen('edit')}>
                {text.actions.edit}
              </Button>
              <Menu trigger={<IconButton icon="ellipsis" label={text.actions.more} />}>
                <MenuItem icon="archive" onSelect={archive}>
                  {link.status === 'archived' ? text.links.unarchive : text.links.archive}
                </MenuItem>
                <MenuItem icon="trash-2" isDanger onSelect={() => onOpen('delete')}>
                  {text.links.delete}
                </MenuItem>
              </Menu>
            </>
          )}
        </div>
      </header>
    </>
  )
}

/** Where the link points, rule by rule, as arms. */
function Targets({ link }: { link: Link }) {
  return (
    <div className="flex flex-wrap items-end justify-between gap-3 pb-4 text-sm">
      <dl className="grid max-w-full grid-cols-[auto_minmax(0,1fr)] items-center gap-x-3 gap-y-1">
        {link.rules.map(({ id, name, destinationUrl }, index) => (
          <div key={id} className="contents">
            <dt className="text-soft">{name ?? text.links.rule(index + 1)}</dt>
            <dd className="min-w-0">
              <Arm className="max-w-full">
                <span className="truncate font-mono">{destinationUrl}</span>
              </Arm>
            </dd>
          </div>
        ))}
        <dt className="text-soft">
          {link.rules.length > 0 ? text.links.everyoneElse : text.links.pointsTo}
        </dt>
        <dd className="min-w-0">
          <Arm className="max-w-full">
            <a
              href={link.destinationUrl}
              rel="noreferrer noopener"
              target="_blank"
              className="truncate font-mono text-ink no-underline hover:underline"
            >
              {link.destinationUrl}
            </a>
          </Arm>
        </dd>
      </dl>
      <p className="text-soft">
        {link.tags.map((tag) => (
          <RouterLink
            key={tag}
            to="/$workspaceId/links"
            params={{ workspaceId: link.workspaceId }}
            search={{ tag }}
            className="mr-1 rounded-sm border border-line px-1.5 text-xs no-underline"
          >
            {tag}
          </RouterLink>
        ))}
        {text.links.facts(link.redirectType, link.clicks)} <ExactTime at={link.createdAt} />
      </p>
    </div>
  )
}

/** Y copies, Q shows the QR code, E edits, # deletes. */
function useLinkKeys(link: Link | undefined, mayWrite: boolean, open: (open: Open) => void) {
  useEffect(() => {
    if (!link) return
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.metaKey || event.ctrlKey || event.altKey) return
      if (localStorage.getItem('signpost.keys') === 'off') return
      if (/^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName) || target.closest('[role=dialog]'))
        return
      if (event.key === 'y')
        void copyText(link.shortUrl).then(() => showToast(text.links.copied(link.shortUrl)))
      else if (event.key === 'q') open('qr')
      else if (event.key === 'e' && mayWrite) open('edit')
      else if (event.key === '#' && mayWrite) open('delete')
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [link, mayWrite, open])
}
