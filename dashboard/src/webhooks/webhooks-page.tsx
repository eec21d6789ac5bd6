import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { Deliveries } from './deliveries.tsx'
import { EndpointDrawer } from './endpoint-drawer.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { endpointsQuery } from './queries.ts'
import type { DeliverySearch } from './search.ts'

export function WebhooksPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/webhooks' })
  const navigate = useNavigate({ from: '/$workspaceId/webhooks' })
  const endpoints = useQuery(endpointsQuery(workspaceId))
  const mayManage = useMay('admin')
  const change = (part: Partial<DeliverySearch>) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const rows = endpoints.data?.data ?? []
  return (
    <>
      <PageHead
        title={text.webhooks.title}
        note={endpoints.data && text.webhooks.count(rows.length)}
      >
        {mayManage && (
          <Button look="primary" icon="plus" onClick={() => change({ new: true })}>
            {text.webhooks.newEndpoint}
          </Button>
        )}
      </PageHead>
      <ErrorNote error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      {endpoints.isPending && <Skeleton rows={3} height={64} />}
      {endpoints.data && rows.length === 0 && (
        <Empty icon="webhook" title={text.webhooks.none}>
          {text.webhooks.noneExplain}
        </Empty>
      )}
      {rows.length > 0 && (
        <>
          <EndpointList
            endpoints={rows}
            chosen={search.endpointId}
            onChoose={(endpointId) => change({ endpointId, delivery: undefined })}
          />
          <Deliveries search={search} endpoints={rows} onChange={change} />
        </>
      )}
      {search.new && mayManage && <EndpointDrawer onClose={() => change({ new: undefined })} />}
    </>
  )
}
