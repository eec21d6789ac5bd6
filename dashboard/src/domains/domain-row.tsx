import { Link } from '@tanstack/react-router'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/domains.ts'
import { DefaultMark, DomainStatus } from './domain-status.tsx'
import type { Domain } from './queries.ts'

/** A line of the list; what the last check missed is in its second line. */
export function DomainRow({ domain }: { domain: Domain }) {
  const { id, workspaceId, hostname, status, isDefault, failureReason, lastCheckedAt } = domain
  return (
    <li className="grid items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 first:border-t-0 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-wrap items-center gap-x-2">
        <Link
          to="/$workspaceId/domains/$domainId"
          params={{ workspaceId, domainId: id }}
          className="inline-flex min-h-8 min-w-0 items-center font-mono text-base break-all no-underline max-md:min-h-11"
        >
          {hostname}
        </Link>
        <DefaultMark isDefault={isDefault} />
      </div>
      <DomainStatus status={status} />
      <p className="text-sm text-soft md:text-end">
        {lastCheckedAt ? (
          <>
            {text.domains.lastChecked} <RelativeTime at={lastCheckedAt} />
          </>
        ) : (
          text.domains.neverChecked
        )}
      </p>
      {failureReason && (
        <p className="text-sm text-soft md:col-span-3">{text.domains.reasons[failureReason]}</p>
      )}
    </li>
  )
}
