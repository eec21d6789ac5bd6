import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { PageHead, Skeleton } from '../kit/layout.tsx'
import { MoreButton } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { text } from '../text/webhooks.ts'
import { Deliveries } from './deliveries.tsx'
import { DispatchDrawer } from './dispatch-drawer.tsx'
import { NewEndpointDrawer } from './endpoint-drawer.tsx'
import { EndpointList } from './endpoint-list.tsx'
import { EndpointPopups } from './endpoint-popups.tsx'
import { NoEndpoints } from './no-endpoints.tsx'
import { endpointsQuery, type ListedEndpoint } from './queries.ts'
import { RetryManyPopup } from './retry-many.tsx'
import type { ChangeSearch, DeliverySearch } from './search.ts'

export function WebhooksPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/webhooks' })
  const navigate = useNavigate({ from: '/$workspaceId/webhooks' })
  const { list: endpoints, rows, total } = usePages(endpointsQuery(workspaceId))
  const mayManage = useMay('admin')
  const change: ChangeSearch = useCallback(
    (part, replace = false) =>
      void navigate({ search: (now) => ({ ...now, ...part }), replace, resetScroll: false }),
    [navigate],
  )
  return (
    <>
      <PageHead
        title={text.webhooks.title}
        note={total !== undefined && text.webhooks.count(total)}
      >
        {mayManage && total !== 0 && <HeadActions onChange={change} />}
      </PageHead>
      <ErrorNote error={endpoints.error} onRetry={() => void endpoints.refetch()} />
      {endpoints.isPending && <Skeleton rows={3} height={64} />}
      {total === 0 && <NoEndpoints onNew={() => change({ open: 'new' })} />}
      {rows.length > 0 && (
        <>
          <div className={search.delivery ? 'max-lg:hidden' : ''}>
            <EndpointList
              endpoints={rows}
              chosen={search.endpointId}
              onChoose={(endpointId) => change({ endpointId, delivery: undefined })}
              onOpen={(open, on) => change({ open, on })}
            />
            <MoreButton list={endpoints} className="mb-4">
              {text.webhooks.moreEndpoints}
            </MoreButton>
          </div>
          <Deliveries search={search} endpoints={rows} onChange={change} />
        </>
      )}
      {mayManage && <Opened search={search} endpoints={rows} onChange={change} />}
    </>
  )
}

function HeadActions({ onChange }: { onChange: ChangeSearch }) {
  return (
    <>
      <RowMenu
        label={text.webhooks.moreActions}
        actions={[
          {
            icon: 'send',
            label: text.webhooks.dispatch,
            onSelect: () => onChange({ open: 'dispatch' }),
          },
        ]}
      />
      <Button look="primary" icon="plus" onClick={() => onChange({ open: 'new' })}>
        {text.webhooks.newEndpoint}
      </Button>
    </>
  )
}

/** The drawer or popup that the address names. */
function Opened({
  search,
  endpoints,
  onChange,
}: {
  search: DeliverySearch
  endpoints: readonly ListedEndpoint[]
  onChange: ChangeSearch
}) {
  const close = () => onChange({ open: undefined, on: undefined })
  switch (search.open) {
    case undefined:
      return null
    case 'new':
      return (
        <NewEndpointDrawer onClose={close} onTest={(on) => onChange({ open: 'test', on }, true)} />
      )
    case 'dispatch':
      return <DispatchDrawer onClose={close} />
    case 'retry':
      return <RetryManyPopup search={search} endpoints={endpoints} onClose={close} />
    default: {
      const endpoint = endpoints.find(({ id }) => id === search.on)
      if (!endpoint) return null
      return (
        <EndpointPopups
          endpoint={endpoint}
          open={search.open}
          onClose={close}
          onDelivery={(delivery) => onChange({ open: undefined, on: undefined, delivery })}
        />
      )
    }
  }
}
