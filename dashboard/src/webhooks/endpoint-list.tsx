import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { formatDuration, formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/webhooks.ts'
import { EndpointHealth } from './endpoint-health.tsx'
import { EndpointMenu } from './endpoint-menu.tsx'
import { HourBars, successRateOf } from './hour-bars.tsx'
import type { EndpointStats, ListedEndpoint } from './queries.ts'
import type { EndpointPopup } from './search.ts'

const SHOWN = 6
const COLUMNS =
  'md:grid-cols-[minmax(0,2.2fr)_minmax(0,1.3fr)_minmax(0,1.6fr)_repeat(3,minmax(0,70px))]'

type Props = {
  endpoints: readonly ListedEndpoint[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
  onOpen: (popup: EndpointPopup, endpointId: string) => void
}

/** The endpoints with health and numbers, those that need a look first; the chosen one filters the deliveries. */
export function EndpointList({ endpoints, chosen, onChoose, onOpen }: Props) {
  const [isWhole, setWhole] = useState(false)
  const ordered = endpoints.toSorted((a, b) => Number(isIll(b)) - Number(isIll(a)))
  const rows = ordered.filter(({ id }, index) => isWhole || index < SHOWN || id === chosen)
  return (
    <div className="mb-4 rounded border border-line bg-card">
      <ListHead />
      <ul aria-label={text.webhooks.endpoints}>
        {rows.map((endpoint) => (
          <EndpointRow
            key={endpoint.id}
            endpoint={endpoint}
            isChosen={endpoint.id === chosen}
            onChoose={() => onChoose(endpoint.id === chosen ? undefined : endpoint.id)}
            onOpen={(popup) => onOpen(popup, endpoint.id)}
          />
        ))}
      </ul>
      {rows.length < endpoints.length && (
        <div className="border-t border-line p-2">
          <Button look="quiet" onClick={() => setWhole(true)}>
            {text.webhooks.showAll(endpoints.length)}
          </Button>
        </div>
      )}
    </div>
  )
}

/** An endpoint that a user paused is well. */
function isIll({ status, failureCount, autoPausedAt }: ListedEndpoint): boolean {
  return autoPausedAt !== null || (status === 'active' && failureCount > 0)
}

function ListHead() {
  const mayManage = useMay('admin')
  const { endpoint, perHour, delivered, failed, p99Short } = text.webhooks
  return (
    <div
      aria-hidden="true"
      className={`grid gap-x-3 border-b border-line py-2 ps-4 text-xs text-soft max-md:hidden ${COLUMNS} ${mayManage ? 'pe-[88px]' : 'pe-[52px]'}`}
    >
      <span>{endpoint}</span>
      <span>{text.deliveries.statusFilter}</span>
      <span>
        {perHour}, <span className="text-stop">{failed}</span>
      </span>
      <span className="text-end">{delivered}</span>
      <span className="text-end">{failed}</span>
      <span className="text-end">{p99Short}</span>
    </div>
  )
}

function EndpointRow({
  endpoint,
  isChosen,
  onChoose,
  onOpen,
}: {
  endpoint: ListedEndpoint
  isChosen: boolean
  onChoose: () => void
  onOpen: (popup: EndpointPopup) => void
}) {
  const { id: workspaceId } = useWorkspace()
  const { id, url, description, events, stats } = endpoint
  return (
    <li
      className={`flex items-center border-t border-line pe-1 first:border-t-0 ${isChosen ? 'border-s-3 border-s-way' : ''}`}
    >
      <button
        type="button"
        aria-pressed={isChosen}
        className={`grid min-h-16 min-w-0 flex-1 items-center gap-x-3 px-4 py-2 text-start text-sm hover:bg-sunk ${COLUMNS}`}
        onClick={onChoose}
      >
        <span className="min-w-0">
          <span className="block truncate font-mono">{withoutScheme(url)}</span>
          <span className="block truncate text-xs text-soft">
            {description ?? (events.includes('*') ? text.webhooks.allEvents : events.join(', '))}
          </span>
        </span>
        <EndpointHealth endpoint={endpoint} />
        {stats && <Numbers stats={stats} />}
      </button>
      <Link
        to="/$workspaceId/webhooks/$endpointId"
        params={{ workspaceId, endpointId: id }}
        aria-label={text.webhooks.open(url)}
        title={text.webhooks.open(url)}
        className={buttonClass('quiet', 'max-md:min-w-11')}
      >
        <Icon name="chevron-right" />
      </Link>
      <EndpointMenu endpoint={endpoint} onOpen={onOpen} />
    </li>
  )
}

function Numbers({ stats }: { stats: EndpointStats }) {
  const { delivered, failed, p99Ms } = stats
  const rate = successRateOf(stats)
  const number = 'text-end text-base font-semibold max-md:hidden'
  const { noValue } = text.webhooks
  return (
    <>
      <span className="max-md:hidden">
        <HourBars stats={stats} height={28} />
      </span>
      <span className={number}>{rate === null ? noValue : formatNumber(delivered)}</span>
      <span className={`${number} ${failed > 0 ? 'text-stop' : ''}`}>
        {rate === null ? noValue : formatNumber(failed)}
      </span>
      <span className={number}>{p99Ms === null ? noValue : formatDuration(p99Ms)}</span>
      {rate !== null && (
        <span className="text-xs text-soft md:hidden">
          {text.webhooks.rateOf(formatPercent(rate), delivered + failed)}
        </span>
      )}
    </>
  )
}
