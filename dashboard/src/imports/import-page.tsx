import { useQuery } from '@tanstack/react-query'
import { Link as RouterLink, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { Card, PageHead } from '../kit/layout.tsx'
import { Breadcrumb } from '../kit/object-page.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/imports.ts'
import { FileForm, useFileImport } from './file-form.tsx'
import { ImportReport } from './import-report.tsx'
import { ImportStatus } from './import-status.tsx'
import { ShlinkForm } from './shlink-form.tsx'
import { importQuery, importsQuery, isRunning } from './queries.ts'

/** A file of links becomes links: choose, check, import, undo. */
export function ImportPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { shown } = useSearch({ from: '/signed-in/$workspaceId/links/import' })
  const navigate = useNavigate({ from: '/$workspaceId/links/import' })
  const mayWrite = useMay('member')
  // A dry run counts for the file that it read: with another file or other options it does not.
  const [checkedId, setCheckedId] = useState<string | null>(null)
  const [startedId, setStartedId] = useState<string | null>(null)
  const latest = useQuery({
    ...importQuery(workspaceId, shown ?? ''),
    enabled: shown !== undefined,
  }).data
  const isBusy = latest !== undefined && isRunning(latest)
  const isChecked = checkedId !== null && checkedId === latest?.id && !isBusy
  const form = useFileImport({
    onChange: () => setCheckedId(null),
    onStarted: ({ id, dryRun }) => {
      setStartedId(id)
      setCheckedId(dryRun ? id : null)
      void navigate({ search: { shown: id }, resetScroll: false })
    },
  })
  return (
    <>
      <Breadcrumb to="/$workspaceId/links" title={text.nav.links} here={text.imports.title} />
      <PageHead title={text.imports.title} note={text.imports.note} />
      <div className="flex max-w-4xl flex-col gap-4">
        {mayWrite && <FileForm form={form} isChecked={isChecked} isBusy={isBusy} />}
        {shown && (
          <ImportReport
            key={shown}
            id={shown}
            isNew={shown === startedId}
            onImport={isChecked && form.sending === null ? () => form.run(false) : null}
            importError={isChecked ? form.error : null}
          />
        )}
        {mayWrite && form.file === null && (
          <ShlinkForm
            isBusy={isBusy}
            onStarted={({ id }) => {
              setStartedId(id)
              setCheckedId(null)
              void navigate({ search: { shown: id }, resetScroll: false })
            }}
          />
        )}
        <Earlier workspaceId={workspaceId} shown={shown} />
      </div>
    </>
  )
}

function Earlier({ workspaceId, shown }: { workspaceId: string; shown: string | undefined }) {
  const imports = useQuery(importsQuery(workspaceId))
  if (imports.error && !imports.data)
    return <ErrorNote error={imports.error} onRetry={() => void imports.refetch()} />
  if (!imports.data || imports.data.length === 0) return null
  return (
    <Card title={text.imports.earlier} note={text.imports.earlierNote}>
      <ul className="py-2">
        {imports.data.map((each) => (
          <li key={each.id} className="border-t border-line first:border-t-0">
            <RouterLink
              to="/$workspaceId/links/import"
              params={{ workspaceId }}
              search={{ shown: each.id }}
              aria-current={each.id === shown ? 'true' : undefined}
              className={`flex min-h-11 flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2 text-sm text-ink no-underline hover:bg-sunk ${each.id === shown ? 'shadow-[inset_3px_0_0_0_#f6c21c]' : ''}`}
            >
              <span className="w-28 max-sm:w-auto">
                <ImportStatus of={each} />
              </span>
              <span className="min-w-0 flex-1 truncate">
                {each.dryRun ? text.imports.dryRunTitle : text.imports.importTitle},{' '}
                {text.imports.sources[each.source]}
              </span>
              <span className="w-28 text-soft max-sm:w-auto">
                <RelativeTime at={each.createdAt} />
              </span>
              <span className="text-soft max-sm:basis-full">
                {text.imports.summary(each.total, each.failed)}
              </span>
            </RouterLink>
          </li>
        ))}
      </ul>
    </Card>
  )
}
