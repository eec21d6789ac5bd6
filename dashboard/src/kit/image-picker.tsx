import { useState } from 'react'
import { imageUrl, mediaQuery, type Media } from '../api/media.ts'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/media.ts'
import { Button } from './button.tsx'
import { Popup } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'
import { INPUT } from './field.tsx'
import { Icon } from './icon.tsx'
import { Skeleton } from './layout.tsx'
import { MoreButton } from './paged-list.tsx'
import { UploadButton, UploadList } from './upload-button.tsx'
import { useUploads } from './use-uploads.ts'

/** Chooses an image of the workspace, or uploads one, which is chosen then. */
function ImagePicker({
  chosenId,
  onChoose,
  onClose,
}: {
  chosenId: string | null
  onChoose: (media: Media) => void
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const [search, setSearch] = useState('')
  const { list: media, rows } = usePages(mediaQuery(workspaceId, search.trim()))
  const { uploads, add, dismiss } = useUploads(onChoose)
  return (
    <Popup title={text.media.choose} onClose={onClose}>
      <div className="flex flex-wrap gap-2">
        <input
          type="search"
          aria-label={text.media.search}
          placeholder={text.media.search}
          className={`${INPUT} min-w-40 flex-1`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
        <UploadButton onFiles={add} />
      </div>
      <UploadList uploads={uploads} onDismiss={dismiss} />
      <ErrorNote error={media.error} onRetry={() => void media.refetch()} />
      {media.isPending && <Skeleton rows={2} height={88} />}
      {media.data && rows.length === 0 && (
        <p className="text-sm text-soft">
          {search === '' ? text.media.none : text.media.noneFound}
        </p>
      )}
      {rows.length > 0 && (
        <ul className="grid grid-cols-3 gap-2" aria-label={text.media.title}>
          {rows.map((row) => (
            <li key={row.id}>
              <button
                type="button"
                aria-pressed={row.id === chosenId}
                className={`block w-full rounded border-2 bg-card p-1 text-start ${row.id === chosenId ? 'border-way' : 'border-line hover:border-edge'}`}
                onClick={() => onChoose(row)}
              >
                <Thumbnail media={row} />
                <span className="block truncate text-xs">{row.filename}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={media} />
    </Popup>
  )
}

/** An image in a square; its name stands beside it. */
export function Thumbnail({ media: { id } }: { media: Pick<Media, 'id'> }) {
  return (
    <img
      src={imageUrl(id)}
      alt=""
      loading="lazy"
      className="aspect-square w-full rounded-sm bg-sunk object-contain"
    />
  )
}

/** A field whose value is an uploaded image. */
export function ImageField({
  label,
  hint,
  value,
  onValue,
  error,
}: {
  label: string
  hint?: string
  value: string | null
  onValue: (id: string | null) => void
  error?: string | undefined
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div role="group" aria-label={label} className="flex flex-col gap-1">
      <span className="text-sm font-semibold">{label}</span>
      <div className="flex flex-wrap items-center gap-3">
        {value !== null && (
          <img
            src={imageUrl(value)}
            alt={text.media.chosenFor(label)}
            className="size-16 rounded border border-line bg-sunk object-contain"
          />
        )}
        <Button onClick={() => setOpen(true)}>
          <Icon name="image" /> {value === null ? text.media.choose : text.media.chooseOther}
        </Button>
        {value !== null && (
          <Button look="quiet" icon="x" onClick={() => onValue(null)}>
            {text.media.remove}
          </Button>
        )}
      </div>
      {hint && <span className="text-xs text-soft">{hint}</span>}
      {error && (
        <span role="alert" className="text-sm text-stop">
          {error}
        </span>
      )}
      {isOpen && (
        <ImagePicker
          chosenId={value}
          onChoose={({ id }) => {
            onValue(id)
            setOpen(false)
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </div>
  )
}
