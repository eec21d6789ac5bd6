import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Card } from '../kit/layout.tsx'
import { sayAction } from '../kit/say-action.ts'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/overview.ts'
import { newestLinksQuery, recentActivityQuery } from './queries.ts'

const ROW =
  'flex min-h-11 items-center gap-3 px-4 text-sm text-ink no-underline hover:bg-sunk md:min-h-9'

/** Latest activity: the audit log where the role may read it, or else the newest links. */
export function Recent() {
  return useMay('admin') ? <Activity /> : <NewestLinks />
}

function Activity() {
  const { id: workspaceId } = useWorkspace()
  const activity = useQuery(recentActivityQuery(workspaceId))
  if (!activity.data || activity.data.length === 0) return null
  return (
    <RecentCard
      title={text.overview.recent}
      all={text.overview.allActivity}
      to="/$workspaceId/settings/audit-log"
    >
      {activity.data.map((entry) => (
        <li key={entry.id}>
          <Entry {...entry} />
        </li>
      ))}
    </RecentCard>
  )
}

/** A link that is still there leads to its page. */
function Entry({ action, actor, target, createdAt }: Schemas['AuditEntry']) {
  const { id: workspaceId } = useWorkspace()
  const content = (
    <>
      <span className="min-w-0 flex-1 truncate">
        {sayAction(action)} <b className="font-semibold">{target.name ?? target.id}</b>{' '}
        <span className="text-soft">{text.overview.by(nameOf(actor))}</span>
      </span>
      <span className="shrink-0 text-soft">
        <RelativeTime at={createdAt} />
      </span>
    </>
  )
  if (target.type !== 'link' || action === 'link.deleted')
    return <div className={ROW}>{content}</div>
  return (
    <RouterLink
      to="/$workspaceId/links/$linkId"
      params={{ workspaceId, linkId: target.id }}
      className={ROW}
    >
      {content}
    </RouterLink>
  )
}

function nameOf({ type, id, name, email }: Schemas['AuditActor']): string {
  return type === 'system' ? text.names.system : (name ?? email ?? id)
}

function NewestLinks() {
  const { id: workspaceId } = useWorkspace()
  const links = useQuery(newestLinksQuery(workspaceId))
  if (!links.data || links.data.length === 0) return null
  return (
    <RecentCard
      title={text.overview.recentLinks}
      all={text.overview.allLinks}
      to="/$workspaceId/links"
    >
      {links.data.map(({ id, slug, name, createdAt }) => (
        <li key={id}>
          <RouterLink
            to="/$workspaceId/links/$linkId"
            params={{ workspaceId, linkId: id }}
            className={ROW}
          >
            <span className="min-w-0 flex-1 truncate">
              <span className="font-mono">/{slug}</span> <span className="text-soft">{name}</span>
            </span>
            <span className="shrink-0 text-soft">
              <RelativeTime at={createdAt} />
            </span>
          </RouterLink>
        </li>
      ))}
    </RecentCard>
  )
}

/** The latest rows, and the way to the page with all of them. */
function RecentCard({
  title,
  all,
  to,
  children,
}: {
  title: string
  all: string
  to: '/$workspaceId/settings/audit-log' | '/$workspaceId/links'
  children: ReactNode
}) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Card
      title={title}
      action={
        <RouterLink
          to={to}
          params={{ workspaceId }}
          className="inline-flex items-center text-sm max-md:min-h-11"
        >
          {all}
        </RouterLink>
      }
    >
      <ul className="py-2">{children}</ul>
    </Card>
  )
}
