import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/reports.ts'
import { reportsQuery, type Report } from './queries.ts'
import { ReportDrawer } from './report-drawer.tsx'
import { ReportRow } from './report-row.tsx'

/** The reports of the workspace: those that are being made, files, and schedules. */
export function ReportsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { new: isNew } = useSearch({ from: '/signed-in/$workspaceId/reports' })
  const navigate = useNavigate({ from: '/$workspaceId/reports' })
  const mayWrite = useMay('member')
  const reports = usePages(reportsQuery(workspaceId))
  const [edited, setEdited] = useState<Report | null>(null)
  const { total } = reports
  const newButton = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
      {text.reports.new_}
    </Button>
  )
  return (
    <>
      <PageHead title={text.reports.title} note={total !== undefined && text.reports.count(total)}>
        {total !== 0 && newButton}
      </PageHead>
      <PagedList
        label={text.reports.title}
        pages={reports}
        empty={
          <Empty icon="file-text" title={text.reports.none} action={newButton}>
            {text.reports.noneExplain}
          </Empty>
        }
      >
        {(report) => <ReportRow key={report.id} report={report} onEdit={() => setEdited(report)} />}
      </PagedList>
      {isNew && mayWrite && <ReportDrawer onClose={() => void navigate({ search: {} })} />}
      {edited && <ReportDrawer report={edited} onClose={() => setEdited(null)} />}
    </>
  )
}
