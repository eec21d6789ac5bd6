import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Arm, PageHead, Skeleton } from '../kit/layout.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/account.ts'
import { describeAgent } from './agent.ts'
import { sessionsQuery, type SessionEntry } from './queries.ts'

/** Every browser that is signed in, with the way to end each. */
export function SessionsPage() {
  const sessions = useQuery(sessionsQuery)
  const [isAsking, setAsking] = useState(false)
  const refreshes = [sessionsQuery.queryKey]
  const end = useAction(
    (id: string) => ask(auth.DELETE('/auth/sessions/{id}', { params: { path: { id } } })),
    { refreshes, showsErrors: true },
  )
  const rows = sessions.data ?? []
  return (
    <>
      <PageHead title={text.account.sessions} note={text.account.sessionsNote}>
        {rows.length > 1 && (
          <Button icon="log-out" onClick={() => setAsking(true)}>
            {text.account.endOthers}
          </Button>
        )}
      </PageHead>
      <ErrorNote error={sessions.error ?? end.error} onRetry={() => void sessions.refetch()} />
      {sessions.isPending && <Skeleton rows={3} height={64} />}
      {rows.length > 0 && (
        <ul className="divide-y divide-line rounded border border-line bg-card">
          {rows.map((row) => (
            <SessionRow
              key={row.id}
              session={row}
              isEnding={end.isPending && end.variables === row.id}
              onEnd={() => end.mutate(row.id)}
            />
          ))}
        </ul>
      )}
      {isAsking && (
        <Confirm
          title={text.account.endOthers}
          action={text.account.endOthers}
          onClose={() => setAsking(false)}
          refreshes={refreshes}
          onConfirm={() => ask(auth.DELETE('/auth/sessions'))}
        >
          {text.account.endOthersExplain}
        </Confirm>
      )}
    </>
  )
}

function SessionRow({
  session: { isCurrent, userAgent, ip, method, createdAt, lastSeenAt },
  isEnding,
  onEnd,
}: {
  session: SessionEntry
  isEnding: boolean
  onEnd: () => void
}) {
  const agent = userAgent ? describeAgent(userAgent) : text.account.unknownBrowser
  const isPhone = /iPhone|Android/.test(userAgent ?? '')
  return (
    <li className="flex flex-wrap items-center gap-3 px-4 py-2 text-sm">
      <Icon name={isPhone ? 'smartphone' : 'monitor'} size={20} className="text-soft" />
      <span className="min-w-0 flex-1">
        <b className="block truncate font-semibold" title={userAgent ?? undefined}>
          {agent}
        </b>
        <span className="block text-xs text-soft">
          {[ip, text.account.methods[method] ?? method].filter(Boolean).join(', ')}
          {', '}
          <span title={formatDateTime(createdAt)}>
            {text.account.lastSeen} <RelativeTime at={lastSeenAt} />
          </span>
        </span>
      </span>
      {isCurrent ? (
        <Arm isHere>{text.account.thisBrowser}</Arm>
      ) : (
        <Button isBusy={isEnding} onClick={onEnd}>
          {text.account.end(agent)}
        </Button>
      )}
    </li>
  )
}
