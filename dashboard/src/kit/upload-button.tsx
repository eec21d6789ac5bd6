import { useId } from 'react'
import { text } from '../text/media.ts'
import { buttonClass, IconButton } from './button.tsx'
import { formatPercent } from './format.ts'
import { Icon } from './icon.tsx'
import { Meter } from './meter.tsx'
import type { Upload } from './use-uploads.ts'

const ACCEPT = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

/** Chooses images to upload, several at once. */
export function UploadButton({
  look = 'plain',
  onFiles,
}: {
  look?: 'plain' | 'primary'
  onFiles: (files: Iterable<File>) => void
}) {
  const id = useId()
  return (
    <>
      <input
        id={id}
        type="file"
        multiple
        accept={ACCEPT}
        className="peer sr-only"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          // The same file can be chosen again.
          event.target.value = ''
        }}
      />
      <label
        htmlFor={id}
        className={buttonClass(
          look,
          'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2 peer-focus-visible:outline-lake',
        )}
      >
        <Icon name="upload" /> {text.media.upload}
      </label>
    </>
  )
}

/** Files that are on their way, and those that were refused. */
export function UploadList({
  uploads,
  onDismiss,
}: {
  uploads: readonly Upload[]
  onDismiss: (key: number) => void
}) {
  if (uploads.length === 0) return null
  return (
    <ul aria-label={text.media.uploads} className="flex flex-col gap-2">
      {uploads.map(({ key, name, share, error }) => (
        <li key={key} className="rounded border border-line bg-card px-4 py-2 text-sm">
          <div className="flex items-center gap-3">
            <span className="min-w-0 flex-1 truncate font-semibold">{name}</span>
            {error === null ? (
              <span className="text-soft">{formatPercent(share)}</span>
            ) : (
              <IconButton
                icon="x"
                label={text.media.dismiss(name)}
                onClick={() => onDismiss(key)}
              />
            )}
          </div>
          {error === null ? (
            <Meter value={share} max={1} label={text.media.progressOf(name)} />
          ) : (
            <p role="alert" className="text-stop">
              {error}
            </p>
          )}
        </li>
      ))}
    </ul>
  )
}
