import { useNavigate, useSearch } from '@tanstack/react-router'
import { ask, auth } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Icon } from '../kit/icon.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { ExactTime } from '../kit/time.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/server.ts'
import { REFRESHES, reportsQuery, type ServerReport } from './queries.ts'

/** What visitors reported, newest first; the operator blocks and resolves. */
export function ReportsPage() {
  const search = useSearch({ from: '/signed-in/server/reports' })
  const navigate = useNavigate({ from: '/server/reports' })
  const reports = usePages(reportsQuery(search))
  const words = text.server.reports
  const block = (kind: 'host' | 'link', value: string) =>
    void navigate({
      to: '/server/blocks',
      search: (now) => ({ from: now.from, new: true, kind, value }),
    })
  return (
    <>
      <PageHead title={text.server.pages.reports} note={words.note} />
      <div className="flex flex-wrap gap-2 pb-3">
        <FilterSelect
          label={words.status}
          any={words.anyStatus}
          value={search.status}
          options={optionsOf(words.statuses)}
          onValue={(status) => void navigate({ search: (now) => ({ ...now, status }) })}
        />
      </div>
      <PagedList
        label={text.server.pages.reports}
        pages={reports}
        waiting={{ rows: 5, height: 84 }}
        empty={
          <Empty icon="flag" title={search.status ? text.server.noneFound : words.none}>
            {search.status ? text.server.noneFoundHint : words.noneExplain}
          </Empty>
        }
      >
        {(report) => <Report key={report.id} report={report} onBlock={block} />}
      </PagedList>
    </>
  )
}

function Report({
  report,
  onBlock,
}: {
  report: ServerReport
  onBlock: (kind: 'host' | 'link', value: string) => void
}) {
  const { id, url, reason, details, email, linkId, destinationHost, isMixedScript } = report
  const words = text.server.reports
  const isOpen = report.status === 'open'
  return (
    <li className="flex gap-2 border-t border-line py-2 ps-4 pe-2 text-sm first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-x-3">
          <b className="text-base font-semibold">{words.reasons[reason]}</b>
          <span
            className={`inline-flex items-center gap-1 font-semibold ${isOpen ? 'text-warn' : 'text-ok'}`}
          >
            <Icon name={isOpen ? 'clock' : 'circle-check'} /> {words.statuses[report.status]}
          </span>
          <span className="text-soft">
            <ExactTime at={report.createdAt} />
          </span>
        </p>
        <p className="font-mono break-all">{withoutScheme(url)}</p>
        <p className="text-soft">
          {destinationHost ? (
            <>
              {words.leadsTo} <span className="font-mono break-all">{destinationHost}</span>
            </>
          ) : (
            words.noLink
          )}
          {isMixedScript && <span className="text-warn"> ({words.mixed})</span>}
        </p>
        {details !== null && <p className="py-1 break-words whitespace-pre-wrap">{details}</p>}
        {email !== null && <p className="break-all text-soft">{words.from(email)}</p>}
      </div>
      <RowMenu
        label={words.actionsOf(withoutScheme(url))}
        refreshes={REFRESHES}
        actions={[
          isOpen && {
            icon: 'check',
            label: words.resolve,
            run: () =>
              ask(auth.POST('/operator/abuse-reports/{id}/resolve', { params: { path: { id } } })),
            told: words.resolved,
          },
          linkId !== null && {
            icon: 'ban',
            label: words.blockLink,
            onSelect: () => onBlock('link', linkId),
          },
          destinationHost !== null && {
            icon: 'globe',
            label: words.blockHost,
            onSelect: () => onBlock('host', destinationHost),
          },
        ]}
      />
    </li>
  )
}
