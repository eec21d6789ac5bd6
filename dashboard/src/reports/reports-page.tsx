import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { distinctRows } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { reportsQuery, type Report } from './queries.ts'
import { ReportDrawer } from './report-drawer.tsx'
import { ReportRow } from './report-row.tsx'

/** The reports of the workspace: those that are being made, files, and schedules. */
export function ReportsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { new: isNew } = useSearch({ from: '/signed-in/$workspaceId/reports' })
  const navigate = useNavigate({ from: '/$workspaceId/reports' })
  const mayWrite = useMay('member')
  const reports = useInfiniteQuery(reportsQuery(workspaceId))
  const [edited, setEdited] = useState<Report | null>(null)
  const rows = distinctRows(reports.data?.pages)
  const total = reports.data?.pages[0]?.meta.total
  return (
    <>
      <PageHead title={text.reports.title} note={total !== undefined && text.reports.count(total)}>
        {mayWrite && (
          <Button
            look="primary"
            icon="plus"
            onClick={() => void navigate({ search: { new: true } })}
          >
            {text.reports.new_}
          </Button>
        )}
      </PageHead>
      <ErrorNote error={reports.error} onRetry={() => void reports.refetch()} />
      {reports.isPending && <Skeleton rows={3} height={64} />}
      {reports.data && rows.length === 0 && (
        <Empty icon="file-text" title={text.reports.none}>
          {text.reports.noneExplain}
        </Empty>
      )}
      {rows.length > 0 && (
        <ul aria-label={text.reports.title} className="rounded border border-line bg-card">
          {rows.map((report) => (
            <ReportRow key={report.id} report={report} onEdit={() => setEdited(report)} />
          ))}
        </ul>
      )}
      {reports.hasNextPage && (
        <Button
          className="mt-3"
          isBusy={reports.isFetchingNextPage}
          onClick={() => void reports.fetchNextPage()}
        >
          {text.actions.more}
        </Button>
      )}
      {isNew && mayWrite && <ReportDrawer onClose={() => void navigate({ search: {} })} />}
      {edited && <ReportDrawer report={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
