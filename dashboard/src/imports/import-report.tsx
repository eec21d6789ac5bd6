import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link as RouterLink } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { sayError } from '../api/errors.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { Card, Skeleton } from '../kit/layout.tsx'
import { Progress } from '../kit/progress.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/imports.ts'
import { downloadErrors } from './files.ts'
import { ImportRows } from './import-rows.tsx'
import { ImportStatus } from './import-status.tsx'
import { cancelImport, importQuery, isRunning, undoImport, type LinkImport } from './queries.ts'

type Props = {
  id: string
  /** Imports the file that this dry run has checked; null: it was another file, or an import. */
  onImport: (() => void) | null
  /** The reason why that could not be started. */
  importError: unknown
  /** It was started on this page: its report comes into view. */
  isNew: boolean
}

/** An import as it goes on: what happened to the rows, and what is wrong with those that were refused. */
export function ImportReport({ id, isNew, ...importing }: Props) {
  const { id: workspaceId } = useWorkspace()
  const place = useRef<HTMLDivElement>(null)
  const queryClient = useQueryClient()
  const shown = useQuery(importQuery(workspaceId, id))
  const status = shown.data?.status
  useEffect(() => {
    if (status !== undefined && status !== 'pending' && status !== 'processing')
      void queryClient.invalidateQueries({
        queryKey: [workspaceId],
        predicate: ({ queryKey }) => queryKey[1] !== 'import',
      })
  }, [queryClient, workspaceId, status])
  const isThere = shown.data !== undefined
  useEffect(() => {
    if (isNew && isThere) place.current?.scrollIntoView({ block: 'start' })
  }, [isNew, isThere])
  if (shown.error && !shown.data)
    return <ErrorNote error={shown.error} onRetry={() => void shown.refetch()} />
  if (!shown.data) return <Skeleton rows={3} />
  const found = shown.data
  return (
    <div ref={place} className="scroll-mt-4">
      <Card
        title={found.dryRun ? text.imports.dryRunTitle : text.imports.importTitle}
        note={text.imports.sources[found.source]}
        action={<ImportStatus of={found} />}
        className="pb-4"
      >
        <div className="flex flex-col gap-3 px-4 pt-2">
          <Progress
            label={text.imports.progress}
            max={Math.max(found.total, 1)}
            value={isRunning(found) ? found.processed : Math.max(found.total, 1)}
          />
          <p className="text-sm" aria-live="polite">
            {text.imports.processed(formatNumber(found.processed), formatNumber(found.total))}
          </p>
          <Counts of={found} />
          {found.error && (
            <p role="alert" className="rounded border border-stop p-3 text-sm">
              {sayError(found.error)}
            </p>
          )}
          {found.unknownDomains.length > 0 && (
            <p className="rounded border border-edge p-3 text-sm">
              {text.imports.unknownDomains}{' '}
              <b className="font-semibold break-all">
                {found.unknownDomains
                  .map(({ domain, rows }) => text.imports.unknownDomain(domain, rows))
                  .join(', ')}
              </b>
            </p>
          )}
          <Actions of={found} {...importing} />
          {found.errors.length > 0 && <Errors of={found} />}
          {!isRunning(found) && <ImportRows of={found} />}
        </div>
      </Card>
    </div>
  )
}

function Counts({ of: { dryRun, created, updated, skipped, failed } }: { of: LinkImport }) {
  const labels = dryRun ? text.imports.wouldBe : text.imports.were
  return (
    <dl className="grid grid-cols-2 gap-3 sm:grid-cols-4">
      {(
        [
          ['created', created],
          ['updated', updated],
          ['skipped', skipped],
          ['failed', failed],
        ] as const
      ).map(([name, count]) => (
        <div key={name}>
          <dd className={`text-lg font-bold ${name === 'failed' && count > 0 ? 'text-stop' : ''}`}>
            {formatNumber(count)}
          </dd>
          <dt className="text-sm text-soft">{labels[name]}</dt>
        </div>
      ))}
    </dl>
  )
}

function Actions({
  of: found,
  onImport,
  importError,
}: { of: LinkImport } & Omit<Props, 'id' | 'isNew'>) {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const cancel = useAction(() => cancelImport(found.id), { showsErrors: true })
  const undo = useAction(() => undoImport(found.id), {
    showsErrors: true,
    told: ({ succeeded, skipped }) =>
      skipped > 0 ? text.actions.undoneBut(succeeded, skipped) : text.actions.undone(succeeded),
  })
  return (
    <>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {onImport && found.created + found.updated > 0 && (
          <Button look="primary" icon="upload" onClick={onImport}>
            {text.imports.startRows(found.created + found.updated)}
          </Button>
        )}
        {!found.dryRun && !isRunning(found) && found.created + found.updated > 0 && (
          <RouterLink to="/$workspaceId/links" params={{ workspaceId }} className={buttonClass()}>
            <Icon name="link" /> {text.imports.toLinks}
          </RouterLink>
        )}
        {mayWrite && isRunning(found) && (
          <Button icon="x" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {text.imports.cancel}
          </Button>
        )}
        {mayWrite && found.canUndo && (
          <Button icon="undo-2" isBusy={undo.isPending} onClick={() => undo.mutate()}>
            {text.imports.undo}
          </Button>
        )}
        {found.errors.length > 0 && (
          <Button icon="download" onClick={() => downloadErrors(found)}>
            {text.imports.errorsCsv}
          </Button>
        )}
      </div>
      <ErrorNote error={cancel.error ?? undo.error ?? importError} />
    </>
  )
}

function Errors({ of: { errors, failed } }: { of: LinkImport }) {
  return (
    <div
      className="max-h-96 overflow-auto rounded max-sm:max-h-160 border border-line"
      tabIndex={0}
      role="region"
      aria-label={text.imports.errors}
    >
      <table className="w-full text-start text-sm max-sm:block">
        <caption className="px-3 py-2 text-start font-semibold max-sm:block">
          {text.imports.errors}{' '}
          {failed > errors.length && (
            <span className="font-normal text-soft">{text.imports.firstErrors(errors.length)}</span>
          )}
        </caption>
        <thead className="text-soft max-sm:block">
          <tr className="max-sm:flex">
            <th className="px-3 py-1 font-normal max-sm:w-18">{text.imports.row}</th>
            <th className="px-3 py-1 font-normal">{text.imports.column}</th>
            <th className="px-3 py-1 font-normal max-sm:sr-only">{text.imports.problem}</th>
          </tr>
        </thead>
        <tbody className="max-sm:block">
          {errors.map(({ row, column, code, message }, index) => (
            // On a phone what is wrong is below the place, over the whole width.
            <tr
              key={index}
              className="border-t border-line align-top max-sm:flex max-sm:flex-wrap max-sm:py-2"
            >
              <td className="px-3 py-1.5 font-mono max-sm:w-18 max-sm:py-0">{row}</td>
              <td className="px-3 py-1.5 font-mono break-all max-sm:flex-1 max-sm:py-0">
                {column ?? text.imports.wholeRow}
              </td>
              <td className="px-3 py-1.5 break-words max-sm:basis-full max-sm:py-0">
                {sayError({ code, message }, column ?? '')}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
