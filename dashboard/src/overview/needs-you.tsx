import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import type { Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/overview.ts'
import { deliveryCountsQuery, domainsQuery, endpointsQuery, usageQuery } from './queries.ts'

const NEAR_SHARE = 0.9
const ROW =
  'flex min-h-11 flex-wrap items-center gap-x-2 px-4 text-sm text-ink no-underline hover:bg-sunk'

/** Problems that need a decision: endpoints and domains that fail, deliveries given up, limits that are near. */
export function NeedsYou() {
  const { id: workspaceId } = useWorkspace()
  const mayManage = useMay('admin')
  const endpoints = useQuery(endpointsQuery(workspaceId))
  const counts = useQuery(deliveryCountsQuery(workspaceId))
  const domains = useQuery(domainsQuery(workspaceId))
  const usage = useQuery({ ...usageQuery(workspaceId), enabled: mayManage })
  const failing = endpoints.data?.data.filter(({ failureCount }) => failureCount > 0) ?? []
  const unproved =
    domains.data?.filter(({ status }) => status === 'failed' || status === 'misconfigured') ?? []
  const deadLetters = counts.data?.dead_letter ?? 0
  const params = { workspaceId }
  const rows: ReactElement[] = [
    ...(deadLetters > 0
      ? [
          <RouterLink
            key="dead-letters"
            to="/$workspaceId/webhooks"
            params={params}
            search={{ status: 'dead_letter' }}
            className={ROW}
          >
            <Icon name="circle-alert" className="text-stop" />
            <b className="font-semibold">{text.overview.deadLetters(deadLetters)}</b>
            <span className="text-soft max-md:basis-full max-md:ps-6 md:ms-auto">
              {text.overview.deadLettersHint}
            </span>
          </RouterLink>,
        ]
      : []),
    ...failing.map(({ id, url, failureCount }) => (
      <RouterLink
        key={id}
        to="/$workspaceId/webhooks"
        params={params}
        search={{ endpointId: id }}
        className={ROW}
      >
        <Icon name="circle-alert" className="text-stop" />
        <span className="min-w-0 flex-1 truncate font-mono">{withoutScheme(url)}</span>
        <span className="text-stop">{text.names.failedInRow(failureCount)}</span>
      </RouterLink>
    )),
    ...unproved.map((domain) => <DomainRow key={domain.id} {...domain} />),
    ...nearLimits(usage.data?.usage ?? {}).map(({ name, used, limit }) => (
      <RouterLink key={name} to="/$workspaceId/settings/billing" params={params} className={ROW}>
        <Icon name="triangle-alert" className="text-warn" />
        <b className="font-semibold">
          {text.overview.limit(nameOf(name), formatNumber(used), formatNumber(limit))}
        </b>
        <span className="ms-auto text-warn">
          {used >= limit ? text.overview.limitReached : text.overview.limitNear}
        </span>
      </RouterLink>
    )),
  ]
  if (rows.length === 0) return null
  return (
    <Card title={text.overview.needsYou}>
      <ul className="pt-1 pb-3">
        {rows.map((row) => (
          <li key={row.key}>{row}</li>
        ))}
      </ul>
    </Card>
  )
}

/** A domain that lacks its proof; its links redirect for some time, or do not any longer. */
function DomainRow({ id, workspaceId, hostname, status }: Schemas['Domain']) {
  const look = status === 'failed' ? 'text-stop' : 'text-warn'
  return (
    <RouterLink
      to="/$workspaceId/domains/$domainId"
      params={{ workspaceId, domainId: id }}
      className={ROW}
    >
      <Icon name={status === 'failed' ? 'circle-alert' : 'triangle-alert'} className={look} />
      <span className="min-w-0 flex-1 truncate font-mono">{hostname}</span>
      <span className={look}>{text.states.domainStatuses[status]}</span>
    </RouterLink>
  )
}

type Use = { used: number; limit: number | null }

/** The limits of which nine tenths are used. A limit of one or two is no news when it is reached. */
function nearLimits(usage: Readonly<Record<string, Use>>) {
  return Object.entries(usage).flatMap(([name, { used, limit }]) =>
    limit !== null && limit > 2 && used >= limit * NEAR_SHARE ? [{ name, used, limit }] : [],
  )
}

function nameOf(limit: string): string {
  return (text.states.limits as Record<string, string>)[limit] ?? limit
}
