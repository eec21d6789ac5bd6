import { useQuery } from '@tanstack/react-query'
import { Card } from '../kit/layout.tsx'
import { sayAction } from '../kit/say-action.ts'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/domains.ts'
import { historyQuery, type Domain } from './queries.ts'

/** The latest changes of the domain, from the audit log. */
export function StatusHistory({ domain: { id, workspaceId } }: { domain: Domain }) {
  const history = useQuery(historyQuery(workspaceId, id))
  if (!history.data || history.data.length === 0) return null
  return (
    <Card title={text.domains.history}>
      <ul className="py-2">
        {history.data.map(({ id: entryId, action, actor, createdAt }) => (
          <li key={entryId} className="flex min-h-9 items-center gap-3 px-4 text-sm">
            <span className="min-w-0 flex-1 truncate">
              {sayAction(action)}{' '}
              <span className="text-soft">{text.domains.by(actor.name ?? actor.id)}</span>
            </span>
            <span className="shrink-0 text-soft">
              <RelativeTime at={createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
