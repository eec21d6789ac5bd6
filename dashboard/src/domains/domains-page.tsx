import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { distinctRows } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { ListFilters } from '../kit/list-filters.tsx'
import { text } from '../text/en.ts'
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
  const domains = useInfiniteQuery(domainsQuery(workspaceId, search))
  const rows = distinctRows(domains.data?.pages)
  const total = domains.data?.pages[0]?.meta.total
  const isFiltered = Boolean(search.q ?? search.status)
  const change = (part: Partial<DomainsSearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  return (
    <>
      <PageHead title={text.domains.title} note={total !== undefined && text.domains.count(total)}>
        {mayManage && (
          <Button look="primary" icon="plus" onClick={() => change({ new: true })}>
            {text.domains.add}
          </Button>
        )}
      </PageHead>
      {(isFiltered || rows.length > 0) && (
        <ListFilters search={search} statuses={STATUSES} words={text.domains} onChange={change} />
      )}
      <ErrorNote error={domains.error} onRetry={() => void domains.refetch()} />
      {domains.isPending && <Skeleton rows={4} height={64} />}
      {domains.data && rows.length === 0 && (isFiltered ? <NoneFound /> : <NoDomains />)}
      {rows.length > 0 && (
        <ul
          aria-label={text.domains.title}
          className={`rounded border border-line bg-card ${domains.isPlaceholderData ? 'opacity-60' : ''}`}
        >
          {rows.map((domain) => (
            <DomainRow key={domain.id} domain={domain} />
          ))}
        </ul>
      )}
      {domains.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={domains.isFetchingNextPage}
          onClick={() => void domains.fetchNextPage()}
        >
          {text.actions.more}
        </Button>
      )}
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
function NoDomains() {
  const mayManage = useMay('admin')
  return (
    <>
      <Empty icon="globe" title={text.domains.none}>
        {text.domains.noneExplain} {!mayManage && text.domains.noneForRole}
      </Empty>
      <div className="mx-auto max-w-2xl">
        <RecordsToCome hostname="" />
      </div>
    </>
  )
}
