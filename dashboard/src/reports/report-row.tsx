import { api, ask, dataOf, fileUrl } from '../api/client.ts'
import { sayError } from '../api/errors.ts'
import { useMay } from '../api/workspace.ts'
import { buttonClass } from '../kit/button.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Progress } from '../kit/progress.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/reports.ts'
import { isUnderWay, type Report } from './queries.ts'

/** A report with the state of its latest run, and its file. */
export function ReportRow({ report, onEdit }: { report: Report; onEdit: () => void }) {
  const { id, name, type, format, filters, downloadUrl, error, rowCount } = report
  const isAdmin = useMay('admin')
  // A report of the audit log needs the rights of the log.
  const mayRead = type !== 'audit_log' || isAdmin
  const mayWrite = useMay('member') && mayRead
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold break-words">{name}</p>
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          <span>{text.reports.types[type]}</span>
          <span className="uppercase">{format}</span>
          <span>
            {filters.start === undefined
              ? text.reports.lastDays(filters.days ?? 30)
              : text.reports.from(filters.start)}
          </span>
          {rowCount !== null && <span>{text.reports.rows(rowCount)}</span>}
          <Times report={report} />
        </p>
        {error && (
          <p className="text-sm break-words text-stop">
            {text.reports.statuses.failed}: {sayError(error)}
          </p>
        )}
      </div>
      <div className="flex items-center gap-2">
        {isUnderWay(report) && <RunProgress report={report} />}
        {downloadUrl !== null && mayRead && (
          <a
            href={fileUrl(`/reports/${id}/download`)}
            download
            aria-label={text.reports.downloadOf(name)}
            className={buttonClass('plain')}
          >
            <Icon name="download" /> {text.reports.download}
          </a>
        )}
        {mayWrite && <ReportMenu report={report} onEdit={onEdit} />}
      </div>
    </li>
  )
}

function Times({ report: { generatedAt, downloadUrl, schedule, nextRunAt } }: { report: Report }) {
  return (
    <>
      {generatedAt !== null && (
        <span>
          {text.reports.made} <RelativeTime at={generatedAt} />
          {downloadUrl === null && `, ${text.reports.expired}`}
        </span>
      )}
      {schedule && nextRunAt !== null && (
        <span className="inline-flex items-center gap-1">
          <Icon name="calendar" size={14} /> {text.reports.frequencies[schedule.frequency]},{' '}
          {text.reports.next} {formatDateTime(nextRunAt)}
        </span>
      )}
    </>
  )
}

function RunProgress({ report: { name, status, progress } }: { report: Report }) {
  return (
    <span className="flex items-center gap-2 text-sm text-soft">
      <Progress label={text.reports.progressOf(name)} className="w-24" max={100} value={progress} />
      {text.reports.statuses[status]}
    </span>
  )
}

function ReportMenu({ report, onEdit }: { report: Report; onEdit: () => void }) {
  const { id, name } = report
  const params = { path: { id } }
  return (
    <RowMenu
      label={text.reports.actionsOf(name)}
      actions={[
        { icon: 'pencil', label: text.actions.edit, onSelect: onEdit },
        isUnderWay(report) && {
          icon: 'ban',
          label: text.reports.cancel,
          run: () => dataOf(api.POST('/reports/{id}/cancel', { params })),
          told: text.reports.canceled(name),
        },
        {
          icon: 'trash-2',
          label: text.reports.delete,
          isDanger: true,
          run: () => ask(api.DELETE('/reports/{id}', { params })),
          told: text.reports.deleted(name),
          question: {
            title: text.reports.deleteTitle(name),
            explain: text.reports.deleteExplain,
          },
        },
      ]}
    />
  )
}
