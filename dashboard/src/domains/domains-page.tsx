import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { ListFilters } from '../kit/list-filters.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/domains.ts'
import { AddDrawer } from './add-drawer.tsx'
import { DomainRow } from './domain-row.tsx'
import { domainsQuery } from './queries.ts'
import { RecordsToCome } from './records-to-come.tsx'
import { STATUSES, type DomainsSearch } from './search.ts'

export function DomainsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/domains' })
  const navigate = useNavigate({ from: '/$workspaceId/domains' })
  const mayManage = useMay('admin')
  const domains = usePages(domainsQuery(workspaceId, search))
  const { total, rows } = domains
  const isFiltered = Boolean(search.q ?? search.status)
  const change = (part: Partial<DomainsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const addButton = mayManage && (
    <Button look="primary" icon="plus" onClick={() => change({ new: true })}>
      {text.domains.add}
    </Button>
  )
  return (
    <>
      <PageHead title={text.domains.title} note={total !== undefined && text.domains.count(total)}>
        {(isFiltered || total !== 0) && addButton}
      </PageHead>
      {(isFiltered || rows.length > 0) && (
        <ListFilters
          search={search}
          statuses={STATUSES}
          words={{ ...text.domains, statuses: text.states.domainStatuses }}
          onChange={change}
        />
      )}
      <PagedList
        label={text.domains.title}
        pages={domains}
        empty={isFiltered ? <NoneFound /> : <NoDomains action={addButton} />}
      >
        {(domain) => <DomainRow key={domain.id} domain={domain} />}
      </PagedList>
      {search.new && mayManage && (
        <AddDrawer
          onClose={() => change({ new: undefined })}
          onAdded={({ id: domainId }) =>
            void navigate({
              to: '/$workspaceId/domains/$domainId',
              params: { workspaceId, domainId },
            })
          }
        />
      )}
    </>
  )
}

function NoneFound() {
  return (
    <Empty icon="globe" title={text.domains.noneFound}>
      {text.domains.noneFoundHint}
    </Empty>
  )
}

/** Explains the use of a branded domain, and the steps to one. */
function NoDomains({ action }: { action: ReactNode }) {
  const mayManage = useMay('admin')
  return (
    <>
      <Empty icon="globe" title={text.domains.none} action={action}>
        {text.domains.noneExplain} {!mayManage && text.domains.noneForRole}
      </Empty>
      <div className="mx-auto max-w-2xl">
        <RecordsToCome hostname="" />
      </div>
    </>
  )
}
