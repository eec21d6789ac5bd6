import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { IconButton } from '../kit/button.tsx'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Icon } from '../kit/icon.tsx'
import { Arm, Empty } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { OnlyFor } from '../kit/only-for.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { ExactTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/logs.ts'
import { NothingFound, WAITING } from './log-parts.tsx'
import { reportsQuery, type AbuseReport } from './queries.ts'
import type { ReportsSearch } from './search.ts'

export function ReportsPage() {
  return (
    <OnlyFor role="admin">
      <Reports />
    </OnlyFor>
  )
}

/** Reports of abuse by visitors, newest first. */
function Reports() {
  const { id: workspaceId } = useWorkspace()
  const search = useSearch({ from: '/signed-in/$workspaceId/settings/abuse-reports' })
  const navigate = useNavigate({ from: '/$workspaceId/settings/abuse-reports' })
  const log = usePages(reportsQuery(workspaceId, search))
  const change = (part: ReportsSearch) => void navigate({ search: (now) => ({ ...now, ...part }) })
  const isFiltered = search.status !== undefined || search.linkId !== undefined
  return (
    <>
      <p className="pb-3 text-sm text-soft">{text.abuseReports.note}</p>
      <ReportFilters
        search={search}
        url={log.rows.find(({ linkId }) => linkId === search.linkId)?.url}
        onChange={change}
      />
      <PagedList
        label={text.abuseReports.title}
        pages={log}
        waiting={WAITING}
        empty={isFiltered ? <NothingFound hint={text.abuseReports.noneFoundHint} /> : <NoReports />}
        more={text.abuseReports.older}
      >
        {(row) => (
          <Report
            key={row.id}
            report={row}
            onOnlyLink={search.linkId ? null : () => change({ linkId: row.linkId })}
          />
        )}
      </PagedList>
    </>
  )
}

function NoReports() {
  return (
    <Empty icon="flag" title={text.abuseReports.none}>
      {text.abuseReports.noneExplain}
    </Empty>
  )
}

function ReportFilters({
  search,
  url,
  onChange,
}: {
  search: ReportsSearch
  /** The short URL of the chosen link, once a report of it is read. */
  url: string | undefined
  onChange: (part: ReportsSearch) => void
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <FilterSelect
        label={text.abuseReports.status}
        any={text.abuseReports.anyStatus}
        value={search.status}
        options={optionsOf(text.abuseReports.statuses)}
        onValue={(status) => onChange({ status })}
      />
      {search.linkId && (
        <Arm>
          {text.abuseReports.ofLink}{' '}
          <b className="max-w-60 truncate font-semibold">
            {url === undefined ? search.linkId : withoutScheme(url)}
          </b>
          <IconButton
            icon="x"
            label={text.abuseReports.anyLink}
            className="size-7! max-md:size-11!"
            onClick={() => onChange({ linkId: undefined })}
          />
        </Arm>
      )}
    </div>
  )
}

/** A report; its URL and details are what the visitor wrote. */
function Report({
  report,
  onOnlyLink,
}: {
  report: AbuseReport
  /** Shows the reports about this link alone; null: it does already. */
  onOnlyLink: (() => void) | null
}) {
  const { workspaceId, linkId, url, reason, details, status, createdAt, resolvedAt } = report
  const shortUrl = withoutScheme(url)
  return (
    <li className="border-t border-line px-4 py-2 text-sm first:border-t-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 md:grid-cols-[minmax(0,1fr)_170px_170px_auto]">
        <div className="min-w-0">
          <p className="font-semibold">{text.abuseReports.reasons[reason]}</p>
          <Link
            to="/$workspaceId/links/$linkId"
            params={{ workspaceId, linkId }}
            className="inline-block py-1 font-mono break-all max-md:py-2.5"
          >
            {shortUrl}
          </Link>
        </div>
        <p className="text-soft max-md:order-last">
          <ExactTime at={createdAt} />
        </p>
        <p className="max-md:order-last max-md:text-end">
          <Status status={status} resolvedAt={resolvedAt} />
        </p>
        {onOnlyLink ? (
          <IconButton
            icon="filter"
            label={text.abuseReports.onlyLink(shortUrl)}
            className="max-md:justify-self-end"
            onClick={onOnlyLink}
          />
        ) : (
          <span />
        )}
      </div>
      {details !== null && <p className="py-1 break-words whitespace-pre-wrap">{details}</p>}
    </li>
  )
}

function Status({ status, resolvedAt }: Pick<AbuseReport, 'status' | 'resolvedAt'>) {
  return (
    <>
      <span
        className={`inline-flex items-center gap-1 font-semibold ${status === 'open' ? 'text-warn' : 'text-ok'}`}
      >
        <Icon name={status === 'open' ? 'clock' : 'circle-check'} />{' '}
        {text.abuseReports.statuses[status]}
      </span>
      {resolvedAt && (
        <span className="block text-soft">
          <ExactTime at={resolvedAt} />
        </span>
      )}
    </>
  )
}
