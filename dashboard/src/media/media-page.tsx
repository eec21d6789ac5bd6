import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { api, dataOf } from '../api/client.ts'
import { mediaQuery } from '../api/media.ts'
import { usePages } from '../api/pages.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { INPUT } from '../kit/field.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { numberFormat } from '../kit/locale.ts'
import { Meter } from '../kit/meter.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { UploadButton, UploadList } from '../kit/upload-button.tsx'
import { useDrop } from '../kit/use-drop.ts'
import { useUploads } from '../kit/use-uploads.ts'
import { text } from '../text/media.ts'
import { ImageCard } from './image-card.tsx'

const BYTES_PER_MB = 1_000_000

/** The images of the workspace, for pages, cards and QR codes. */
export function MediaPage() {
  const { id: workspaceId } = useWorkspace()
  const { q } = useSearch({ from: '/signed-in/$workspaceId/media' })
  const mayWrite = useMay('member')
  const media = usePages(mediaQuery(workspaceId, q))
  const { rows, meta } = media
  const { uploads, add, dismiss } = useUploads()
  return (
    <>
      <PageHead
        title={text.media.title}
        note={meta && text.media.count(meta.total, formatMegabytes(meta.usedBytes))}
      >
        {mayWrite && <UploadButton look="primary" onFiles={add} />}
      </PageHead>
      {meta && <Storage usedBytes={meta.usedBytes} />}
      {(q !== undefined || rows.length > 0) && <Search />}
      <DropArea isEnabled={mayWrite} onFiles={add}>
        <UploadList uploads={uploads} onDismiss={dismiss} />
        <PagedList
          label={text.media.title}
          pages={media}
          className="grid grid-cols-[repeat(auto-fill,minmax(150px,1fr))] gap-3"
          waiting={{ rows: 3, height: 120 }}
          empty={
            <Empty icon="image" title={q === undefined ? text.media.none : text.media.noneFound}>
              {q === undefined && (mayWrite ? text.media.noneExplain : text.media.noneForViewers)}
            </Empty>
          }
        >
          {(row) => <ImageCard key={row.id} media={row} mayWrite={mayWrite} />}
        </PagedList>
      </DropArea>
    </>
  )
}

function Search() {
  const { q } = useSearch({ from: '/signed-in/$workspaceId/media' })
  const navigate = useNavigate({ from: '/$workspaceId/media' })
  const [typed, setTyped] = useState(q ?? '')
  const search = (value: string) => void navigate({ search: value === '' ? {} : { q: value } })
  return (
    <form
      role="search"
      className="max-w-md pb-3"
      onSubmit={(event) => {
        event.preventDefault()
        search(typed.trim())
      }}
    >
      <input
        type="search"
        aria-label={text.media.search}
        placeholder={text.media.search}
        className={INPUT}
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value)
          if (event.target.value === '') search('')
        }}
      />
    </form>
  )
}

/** Shows the limit of the plan to users who may see the plan. */
function Storage({ usedBytes }: { usedBytes: number }) {
  const { id: workspaceId } = useWorkspace()
  const mayRead = useMay('admin')
  const usage = useQuery({
    queryKey: [workspaceId, 'media', 'limit'],
    queryFn: ({ signal }) => dataOf(api.GET('/billing/usage', { signal })),
    enabled: mayRead,
  })
  const limit = usage.data?.usage.media_storage_mb?.limit
  if (typeof limit !== 'number') return null
  const used = usedBytes / BYTES_PER_MB
  return (
    <div className="flex max-w-md flex-col gap-1 pb-4">
      <p className="text-sm text-soft">{text.media.storage(formatMegabytes(usedBytes), limit)}</p>
      <Meter value={used} max={limit} label={text.media.storageLabel} isWarning={used >= limit} />
    </div>
  )
}

/** Takes files that are dropped on it. */
function DropArea({
  isEnabled,
  onFiles,
  children,
}: {
  isEnabled: boolean
  onFiles: (files: Iterable<File>) => void
  children: ReactNode
}) {
  const { isOver, target } = useDrop(onFiles)
  if (!isEnabled) return <div className="flex flex-col gap-3">{children}</div>
  return (
    <div
      className={`flex min-h-60 flex-col gap-3 rounded border-2 border-dashed p-3 ${isOver ? 'border-way bg-sunk' : 'border-line'}`}
      {...target}
    >
      {children}
      <p className="mt-auto text-center text-sm text-soft">
        <span className="max-md:hidden">{text.media.drop}</span>
        <span className="md:hidden">{text.media.types}</span>
      </p>
    </div>
  )
}

/** With one decimal below ten. */
function formatMegabytes(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MB
  return numberFormat({ maximumFractionDigits: megabytes < 10 ? 1 : 0 }).format(megabytes)
}
