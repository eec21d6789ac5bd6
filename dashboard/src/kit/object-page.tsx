import { Link } from '@tanstack/react-router'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { text } from '../text/shared.ts'
import { ErrorNote } from './error-note.tsx'
import type { IconName } from './icon.tsx'
import { Empty, Skeleton } from './layout.tsx'
import { useTabTitle } from './tab-title.ts'

/** The list that an object belongs to. */
type List = {
  to: `/$workspaceId/${'bio-pages' | 'campaigns' | 'domains' | 'links' | 'webhooks'}`
  title: string
}

/** The way from a page below a list back to that list; `here` is the name of the page. */
export function Breadcrumb({ to, title, here }: List & { here?: string }) {
  const { id } = useWorkspace()
  return (
    <nav aria-label={text.objects.breadcrumb} className="text-sm break-words text-soft">
      <Link
        to={to}
        params={{ workspaceId: id }}
        className="inline-flex min-h-8 items-center max-md:min-h-11"
      >
        {title}
      </Link>
      {here !== undefined && <> › {here}</>}
    </nav>
  )
}

type UnreadProps = List & {
  /** The query of the object, which has no data. */
  read: { error: unknown; refetch: () => unknown }
  icon: IconName
  /** Text for an object that the workspace does not have. */
  missing: string
}

/** The state of a page without its object: it is being read, it does not exist, or the read failed. */
export function Unread({ read, icon, missing, ...list }: UnreadProps) {
  useTabTitle(list.title)
  const isMissing = read.error instanceof ApiError && [403, 404].includes(read.error.status)
  return (
    <>
      <Breadcrumb {...list} />
      <h1 className="sr-only">{list.title}</h1>
      {isMissing && (
        <Empty icon={icon} title={missing}>
          {text.objects.missingHint}
        </Empty>
      )}
      {!isMissing && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {!read.error && <Skeleton rows={6} height={56} />}
    </>
  )
}
