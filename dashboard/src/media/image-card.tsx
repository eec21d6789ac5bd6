import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { imageUrl, type Media } from '../api/media.ts'
import { buttonClass, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { formatList } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Thumbnail } from '../kit/image-picker.tsx'
import { text } from '../text/media.ts'

const BYTES_PER_KB = 1_000
/** Of what shows an image, on its card. */
const SHOWN_USES = 3
/** Of what shows an image, in the question before it is deleted. */
const LISTED = 5

/** An image with what it is, and what shows it. */
export function ImageCard({ media, mayWrite }: { media: Media; mayWrite: boolean }) {
  const { id, filename, width, height, size, frames } = media
  const [isDeleting, setDeleting] = useState(false)
  return (
    <li className="flex min-w-0 flex-col gap-1 rounded border border-line bg-card p-2">
      <Thumbnail media={media} />
      <b className="truncate text-sm font-semibold" title={filename}>
        {filename}
      </b>
      <p className="text-xs text-soft">
        {text.media.facts(width, height, size / BYTES_PER_KB)}
        {frames > 1 && ` · ${text.media.animated}`}
      </p>
      <Uses media={media} />
      <div className="mt-auto flex justify-end gap-1">
        <a
          href={imageUrl(id)}
          download={filename}
          aria-label={text.media.download(filename)}
          className={buttonClass('quiet')}
        >
          <Icon name="download" />
        </a>
        {mayWrite && (
          <IconButton
            icon="trash-2"
            label={text.media.delete_(filename)}
            onClick={() => setDeleting(true)}
          />
        )}
      </div>
      {isDeleting && <DeleteQuestion media={media} onClose={() => setDeleting(false)} />}
    </li>
  )
}

function Uses({ media: { usedBy, workspaceId } }: { media: Media }) {
  if (usedBy.length === 0) return <p className="text-xs text-soft">{text.media.unused}</p>
  return (
    <p className="text-xs break-words text-soft">
      {text.media.usedBy}{' '}
      {usedBy.slice(0, SHOWN_USES).map(({ type, id, name }, at) => (
        <span key={id}>
          {at > 0 && ', '}
          {type === 'link' ? (
            <Link to="/$workspaceId/links/$linkId" params={{ workspaceId, linkId: id }}>
              {name}
            </Link>
          ) : type === 'bio_page' ? (
            <Link to="/$workspaceId/bio-pages/$pageId" params={{ workspaceId, pageId: id }}>
              {name}
            </Link>
          ) : (
            <Link to="/$workspaceId/settings/workspace" params={{ workspaceId }}>
              {name}
            </Link>
          )}
        </span>
      ))}
      {usedBy.length > SHOWN_USES && `, ${text.media.andMore(usedBy.length - SHOWN_USES)}`}
    </p>
  )
}

/** "Poster, Spring, and 3 more". */
function namesOf(usedBy: Media['usedBy']): string {
  const names = usedBy.slice(0, LISTED).map(({ name }) => name)
  const others = usedBy.length - names.length
  return formatList(others > 0 ? [...names, text.media.andMore(others)] : names)
}

/** An image in use is taken off what shows it, which the question says. */
function DeleteQuestion({ media, onClose }: { media: Media; onClose: () => void }) {
  const { id, filename, usedBy } = media
  const isUsed = usedBy.length > 0
  const params = { path: { id }, query: { force: isUsed } }
  return (
    <Confirm
      title={text.media.deleteTitle(filename)}
      action={isUsed ? text.media.deleteAnyway : text.media.delete}
      told={text.media.deleted(filename)}
      onClose={onClose}
      // An image that began to be used in between is refused; the next question names its use.
      onConfirm={() => ask(api.DELETE('/media/{id}', { params }))}
    >
      {isUsed ? text.media.deleteUsed(namesOf(usedBy)) : text.media.deleteUnused}
    </Confirm>
  )
}
