import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { FilterSelect } from '../kit/filter-select.tsx'
import { formatCountry } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { optionsOf } from '../kit/lists.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { sayAction } from '../kit/say-action.ts'
import { text } from '../text/logs.ts'
import { SECURITY_TYPES } from './actions.ts'
import { Facts, LogFilters, LogRow, NothingFound, showValue, WAITING } from './log-parts.tsx'
import { securityQuery, type SecurityEntry } from './queries.ts'
import type { SecuritySearch } from './search.ts'

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
  const log = usePages(securityQuery(workspaceId, search))
  const change = (part: Partial<SecuritySearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const actor = log.rows.find((row) => row.actor.id === search.actorId)?.actor
  return (
    <>
      <p className="pb-3 text-sm text-soft">{text.logs.securityNote}</p>
      <LogFilters search={search} actorName={actor && nameOf(actor)} onChange={change}>
        <FilterSelect
          label={text.logs.event}
          any={text.logs.anyEvent}
          value={SECURITY_TYPES.find((each) => each === search.type)}
          options={SECURITY_TYPES.map((value) => ({ value, label: sayAction(value) }))}
          onValue={(type) => change({ type })}
        />
        <FilterSelect
          label={text.logs.outcome}
          any={text.logs.anyOutcome}
          value={search.outcome}
          options={optionsOf(text.logs.outcomes)}
          onValue={(outcome) => change({ outcome })}
        />
      </LogFilters>
      <PagedList
        label={text.logs.security}
        pages={log}
        waiting={WAITING}
        more={text.logs.older}
        empty={<NothingFound />}
      >
        {(row) => (
          <SecurityRow
            key={row.id}
            entry={row}
            onActor={row.actor.id === null ? null : () => change({ actorId: row.actor.id! })}
          />
        )}
      </PagedList>
    </>
  )
}

function SecurityRow({ entry, onActor }: { entry: SecurityEntry; onActor: (() => void) | null }) {
  const { country } = entry.geo
  return (
    <LogRow
      title={sayAction(entry.type)}
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
  if (type === 'system') return text.names.system
  return name ?? email ?? id ?? text.logs.anonymous
}
