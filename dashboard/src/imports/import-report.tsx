import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/format.ts'
import { Card, Skeleton } from '../kit/layout.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { downloadErrors } from './files.ts'
import { ImportStatus } from './import-status.tsx'
import { cancelImport, importQuery, isRunning, undoImport, type LinkImport } from './queries.ts'

const words = text.imports

/** An import as it goes on: what happened to the rows, and what is wrong with those that were refused. */
export function ImportReport({ id }: { id: string }) {
  const { id: workspaceId } = useWorkspace()
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
  if (shown.error && !shown.data)
    return <ErrorNote error={shown.error} onRetry={() => void shown.refetch()} />
  if (!shown.data) return <Skeleton rows={3} />
  const found = shown.data
  return (
    <Card
      title={found.dryRun ? words.dryRunTitle : words.importTitle}
      note={words.sources[found.source]}
      action={<ImportStatus of={found} />}
      className="pb-4"
    >
      <div className="flex flex-col gap-3 px-4 pt-2">
        <progress
          className="h-2 w-full appearance-none overflow-hidden rounded bg-sunk [&::-moz-progress-bar]:bg-lake [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-lake"
          aria-label={words.progress}
          max={Math.max(found.total, 1)}
          value={isRunning(found) ? found.processed : Math.max(found.total, 1)}
        />
        <p className="text-sm" aria-live="polite">
          {words.processed(formatNumber(found.processed), formatNumber(found.total))}
        </p>
        <Counts of={found} />
        {found.error && (
          <p role="alert" className="rounded border border-stop p-3 text-sm">
            {found.error.message}
          </p>
        )}
        {found.unknownDomains.length > 0 && (
          <p className="rounded border border-edge p-3 text-sm">
            {words.unknownDomains}{' '}
            <b className="font-semibold break-all">
              {found.unknownDomains
                .map(({ domain, rows }) => words.unknownDomain(domain, rows))
                .join(', ')}
            </b>
          </p>
        )}
        <Actions of={found} />
        {found.errors.length > 0 && <Errors of={found} />}
      </div>
    </Card>
  )
}

function Counts({ of: { dryRun, created, updated, skipped, failed } }: { of: LinkImport }) {
  const labels = dryRun ? words.wouldBe : words.were
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

function Actions({ of: found }: { of: LinkImport }) {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId] })
  const cancel = useMutation({ mutationFn: () => cancelImport(found.id), onSuccess: refresh })
  const undo = useMutation({
    mutationFn: () => undoImport(found.id),
    onSuccess: ({ succeeded, skipped }) => {
      showToast(
        skipped > 0 ? text.linkList.undoneBut(succeeded, skipped) : text.linkList.undone(succeeded),
      )
      return refresh()
    },
  })
  return (
    <>
      <div className="flex flex-wrap gap-2 empty:hidden">
        {mayWrite && isRunning(found) && (
          <Button icon="x" isBusy={cancel.isPending} onClick={() => cancel.mutate()}>
            {words.cancel}
          </Button>
        )}
        {mayWrite && found.canUndo && (
          <Button icon="undo-2" isBusy={undo.isPending} onClick={() => undo.mutate()}>
            {words.undo}
          </Button>
        )}
        {found.errors.length > 0 && (
          <Button icon="download" onClick={() => downloadErrors(found)}>
            {words.errorsCsv}
          </Button>
        )}
      </div>
      <ErrorNote error={cancel.error ?? undo.error} />
    </>
  )
}

function Errors({ of: { errors, failed } }: { of: LinkImport }) {
  return (
    <div
      className="max-h-96 overflow-auto rounded border border-line"
      tabIndex={0}
      role="region"
      aria-label={words.errors}
    >
      <table className="w-full text-left text-sm">
        <caption className="px-3 py-2 text-left font-semibold">
          {words.errors}{' '}
          {failed > errors.length && (
            <span className="font-normal text-soft">{words.firstErrors(errors.length)}</span>
          )}
        </caption>
        <thead className="text-soft">
          <tr>
            <th className="px-3 py-1 font-normal">{words.row}</th>
            <th className="px-3 py-1 font-normal">{words.column}</th>
            <th className="px-3 py-1 font-normal">{words.problem}</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ row, column, message }, index) => (
            <tr key={index} className="border-t border-line align-top">
              <td className="px-3 py-1.5 font-mono">{row}</td>
              <td className="px-3 py-1.5 font-mono break-all">{column ?? words.wholeRow}</td>
              <td className="px-3 py-1.5 break-words">{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
