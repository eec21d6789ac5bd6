import { Icon } from '../kit/icon.tsx'
import { text } from '../text/bio-pages.ts'
import type { BioPage } from './queries.ts'

export function PageStatus({ page: { status } }: { page: Pick<BioPage, 'status'> }) {
  const isPublished = status === 'published'
  return (
    <span
      className={`inline-flex items-center gap-1 text-sm ${isPublished ? 'text-ok' : 'text-soft'}`}
    >
      <Icon name={isPublished ? 'circle-check' : 'pencil'} size={14} />
      {text.bioPages.statuses[status]}
    </span>
  )
}
