import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Card, PageHead } from '../kit/layout.tsx'
import { Breadcrumb, Unread } from '../kit/object-page.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/webhooks.ts'
import { DeliveryStatus } from './delivery-status.tsx'
import { EndpointFacts } from './endpoint-facts.tsx'
import { EndpointHealth } from './endpoint-health.tsx'
import { EndpointMenu } from './endpoint-menu.tsx'
import { EndpointNotes } from './endpoint-notes.tsx'
import { EndpointPopups } from './endpoint-popups.tsx'
import { EndpointStatsCard } from './endpoint-stats.tsx'
import { countsQuery, endpointQuery, type Endpoint } from './queries.ts'
import { ListenCommand, ReceiverSample } from './receiver-sample.tsx'
import { STATUSES, type EndpointPopup } from './search.ts'

const LIST = '/$workspaceId/webhooks'

export function EndpointPage() {
  const { workspaceId, endpointId } = useParams({
    from: '/signed-in/$workspaceId/webhooks/$endpointId',
  })
  const read = useQuery(endpointQuery(workspaceId, endpointId))
  if (read.data) return <Shown endpoint={read.data.value} error={read.error} />
  return (
    <Unread
      to={LIST}
      title={text.webhooks.title}
      read={read}
      icon="webhook"
      missing={text.webhooks.missing}
    />
  )
}

function Shown({ endpoint, error }: { endpoint: Endpoint; error: unknown }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { open } = useSearch({ from: '/signed-in/$workspaceId/webhooks/$endpointId' })
  const navigate = useNavigate({ from: '/$workspaceId/webhooks/$endpointId' })
  const mayManage = useMay('admin')
  const show = (popup: EndpointPopup | undefined) => void navigate({ search: { open: popup } })
  return (
    <>
      <Breadcrumb to={LIST} title={text.webhooks.title} here={withoutScheme(endpoint.url)} />
      <PageHead
        title={<span className="font-mono break-all">{withoutScheme(endpoint.url)}</span>}
        tabTitle={withoutScheme(endpoint.url)}
        note={endpoint.description}
      >
        {mayManage && (
          <Button look="primary" icon="send" onClick={() => show('test')}>
            {text.webhooks.sendTest}
          </Button>
        )}
        <EndpointMenu endpoint={endpoint} onOpen={show} />
      </PageHead>
      <div className="flex flex-col gap-4">
        <ErrorNote error={error} />
        <p className="text-sm">
          <EndpointHealth endpoint={endpoint} />
        </p>
        <EndpointNotes endpoint={endpoint} onOpen={show} />
        <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:grid-cols-2">
          <div className="flex min-w-0 flex-col gap-4">
            <EndpointStatsCard endpointId={endpoint.id} />
            <DeliveryCounts endpointId={endpoint.id} />
          </div>
          <EndpointFacts endpoint={endpoint} onOpen={show} />
        </div>
        <ReceiverSample />
        <ListenCommand />
      </div>
      {open && mayManage && (
        <EndpointPopups
          endpoint={endpoint}
          open={open}
          onClose={() => show(undefined)}
          onDelivery={(delivery) =>
            void navigate({
              to: '/$workspaceId/webhooks',
              params: { workspaceId },
              search: { endpointId: endpoint.id, delivery },
            })
          }
          onDeleted={() =>
            navigate({ to: '/$workspaceId/webhooks', params: { workspaceId }, search: {} })
          }
        />
      )}
    </>
  )
}

/** The deliveries of the endpoint in each status; each number leads to them. */
function DeliveryCounts({ endpointId }: { endpointId: string }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const counts = useQuery(countsQuery(workspaceId, { endpointId }))
  const to = { to: '/$workspaceId/webhooks', params: { workspaceId } } as const
  return (
    <Card
      title={text.deliveries.title}
      action={
        <Link {...to} search={{ endpointId }} className={buttonClass('quiet')}>
          {text.deliveries.anyStatus} {counts.data && formatNumber(counts.data.total)}
        </Link>
      }
    >
      <div className="px-4">
        <ErrorNote error={counts.error} onRetry={() => void counts.refetch()} />
      </div>
      <ul className="py-2">
        {STATUSES.map((status) => (
          <li key={status}>
            <Link
              {...to}
              search={{ endpointId, status }}
              className="flex min-h-9 items-center px-4 text-sm no-underline hover:bg-sunk max-md:min-h-11"
            >
              <DeliveryStatus status={status} />
              <b className="ms-auto font-semibold text-ink">
                {counts.data ? formatNumber(counts.data[status]) : ''}
              </b>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
