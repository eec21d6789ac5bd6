import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { INPUT } from '../kit/field.tsx'
import { formatCountry } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { readAction } from '../kit/read-action.ts'
import { text } from '../text/en.ts'
import { SECURITY_TYPES } from './actions.ts'
import { Facts, LogFilters, LogRow, LogRows, NothingFound, showValue } from './log-parts.tsx'
import { securityQuery, type SecurityEntry } from './queries.ts'
import type { SecuritySearch } from './search.ts'

const OUTCOMES = ['success', 'failure'] as const

export function SecurityPage() {
  return (
    <OnlyFor role="admin">
      <SecurityLog />
    </OnlyFor>
  )
}

function SecurityLog() {
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/signed-in/$workspaceId/settings/security-log' })
  const navigate = useNavigate({ from: '/$workspaceId/settings/security-log' })
  const { list: log, rows } = usePages(securityQuery(workspaceId, search))
  const change = (part: Partial<SecuritySearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const actor = rows.find((row) => row.actor.id === search.actorId)?.actor
  return (
    <>
      <p className="pb-3 text-sm text-soft">{text.logs.securityNote}</p>
      <LogFilters search={search} actorName={actor && nameOf(actor)} onChange={change}>
        <select
          aria-label={text.logs.event}
          className={`${INPUT} md:w-auto!`}
          value={search.type ?? ''}
          onChange={(event) =>
            change({ type: SECURITY_TYPES.find((each) => each === event.target.value) })
          }
        >
          <option value="">{text.logs.anyEvent}</option>
          {SECURITY_TYPES.map((type) => (
            <option key={type} value={type}>
              {readAction(type)}
            </option>
          ))}
        </select>
        <select
          aria-label={text.logs.outcome}
          className={`${INPUT} md:w-auto!`}
          value={search.outcome ?? ''}
          onChange={(event) =>
            change({ outcome: OUTCOMES.find((each) => each === event.target.value) })
          }
        >
          <option value="">{text.logs.anyOutcome}</option>
          {OUTCOMES.map((outcome) => (
            <option key={outcome} value={outcome}>
              {text.logs.outcomes[outcome]}
            </option>
          ))}
        </select>
      </LogFilters>
      <LogRows label={text.logs.security} log={log} count={rows.length} empty={<NothingFound />}>
        {rows.map((row) => (
          <SecurityRow
            key={row.id}
            entry={row}
            onActor={row.actor.id === null ? null : () => change({ actorId: row.actor.id! })}
          />
        ))}
      </LogRows>
    </>
  )
}

function SecurityRow({ entry, onActor }: { entry: SecurityEntry; onActor: (() => void) | null }) {
  const { country } = entry.geo
  return (
    <LogRow
      title={readAction(entry.type)}
      note={
        <span
          className={`inline-flex items-center gap-1 ${entry.outcome === 'failure' ? 'text-stop' : 'text-ok'}`}
        >
          <Icon name={entry.outcome === 'failure' ? 'circle-x' : 'circle-check'} />
          {text.logs.outcomes[entry.outcome]}
        </span>
      }
      at={entry.createdAt}
      actor={nameOf(entry.actor)}
      onActor={onActor}
    >
      <Facts
        rows={[
          ...Object.entries(entry.details).map(
            ([name, value]) => [name, showValue(value)] as const,
          ),
          [
            text.logs.address,
            entry.ipAddress && country
              ? `${entry.ipAddress}, ${formatCountry(country)}`
              : entry.ipAddress,
          ],
          [text.logs.agent, entry.userAgent],
          [text.logs.request, entry.requestId],
        ]}
      />
    </LogRow>
  )
}

function nameOf({ type, id, name, email }: SecurityEntry['actor']): string {
  if (type === 'system') return text.logs.system
  return name ?? email ?? id ?? text.logs.anonymous
}
