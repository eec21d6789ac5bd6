import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { FilterSelect } from '../kit/filter-select.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { sayAction } from '../kit/say-action.ts'
import { text } from '../text/logs.ts'
import { AUDIT_ACTIONS } from './actions.ts'
import { Facts, LogFilters, LogRow, NothingFound, showValue, WAITING } from './log-parts.tsx'
import { auditQuery, type AuditEntry } from './queries.ts'
import type { AuditSearch } from './search.ts'

export function AuditPage() {
  return (
    <OnlyFor role="admin">
      <AuditLog />
    </OnlyFor>
  )
}

function AuditLog() {
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/signed-in/$workspaceId/settings/audit-log' })
  const navigate = useNavigate({ from: '/$workspaceId/settings/audit-log' })
  const log = usePages(auditQuery(workspaceId, search))
  const change = (part: Partial<AuditSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const actor = log.rows.find((row) => row.actor.id === search.actorId)?.actor
  return (
    <>
      <p className="pb-3 text-sm text-soft">{text.logs.auditNote}</p>
      <LogFilters search={search} actorName={actor && nameOf(actor)} onChange={change}>
        <FilterSelect
          label={text.logs.action}
          any={text.logs.anyAction}
          value={AUDIT_ACTIONS.find((each) => each === search.action)}
          options={AUDIT_ACTIONS.map((value) => ({ value, label: sayAction(value) }))}
          onValue={(action) => change({ action })}
        />
      </LogFilters>
      <PagedList
        label={text.logs.audit}
        pages={log}
        waiting={WAITING}
        more={text.logs.older}
        empty={<NothingFound />}
      >
        {(row) => (
          <LogRow
            key={row.id}
            title={sayAction(row.action)}
            note={row.target.name ?? row.target.id}
            at={row.createdAt}
            actor={nameOf(row.actor)}
            onActor={() => change({ actorId: row.actor.id })}
          >
            <Changes changes={row.changes} />
            <Facts
              rows={[
                [row.target.type, row.target.id],
                [text.logs.address, row.ipAddress],
                [text.logs.agent, row.userAgent],
                [text.logs.request, row.requestId],
                [text.logs.hash, row.hash],
              ]}
            />
          </LogRow>
        )}
      </PagedList>
    </>
  )
}

function nameOf({ type, id, name, email }: AuditEntry['actor']): string {
  return type === 'system' ? text.names.system : (name ?? email ?? id)
}

function Changes({ changes }: Pick<AuditEntry, 'changes'>) {
  const fields = Object.entries(changes) as [string, { old?: unknown; new?: unknown }][]
  if (fields.length === 0) return null
  return (
    <div className="overflow-x-auto">
      <table className="w-full">
        <thead className="text-start text-soft">
          <tr>
            <th scope="col" className="pe-4 font-normal">
              {text.logs.field}
            </th>
            <th scope="col" className="pe-4 font-normal">
              {text.logs.before}
            </th>
            <th scope="col" className="font-normal">
              {text.logs.after}
            </th>
          </tr>
        </thead>
        <tbody className="align-top">
          {fields.map(([name, change]) => (
            <tr key={name}>
              <th scope="row" className="pe-4 text-start font-mono font-normal">
                {name}
              </th>
              <td className="pe-4 break-all text-soft">
                <del className="no-underline">{showValue(change?.old)}</del>
              </td>
              <td className="break-all">
                <ins className="no-underline">{showValue(change?.new)}</ins>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
