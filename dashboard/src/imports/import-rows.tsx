import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { formatNumber } from '../kit/format.ts'
import { text } from '../text/en.ts'
import { rowsQuery, type ImportRow, type LinkImport } from './queries.ts'

const words = text.imports
const STATUSES: readonly ImportRow['status'][] = ['created', 'updated', 'skipped', 'failed']

/** Each row with its short URL: what has become of it, or would in a dry run. */
export function ImportRows({ of: found }: { of: LinkImport }) {
  const { id: workspaceId } = useWorkspace()
  const [status, setStatus] = useState<ImportRow['status'] | ''>('')
  const query = useInfiniteQuery(rowsQuery(workspaceId, found.id, status))
  const rows = query.data?.pages.flatMap(({ data }) => data) ?? []
  const total = query.data?.pages[0]?.meta.total ?? 0
  const outcomes = found.dryRun ? words.wouldBe : words.were
  if (query.error) return <ErrorNote error={query.error} onRetry={() => void query.refetch()} />
  // Rows of an earlier import are not kept.
  if (status === '' && total === 0) return null
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 className="font-semibold">{words.rows}</h3>
        <SelectField
          label={words.rowFilter}
          value={status}
          options={[
            { value: '' as const, label: words.allRows },
            ...STATUSES.filter((each) => found[each] > 0).map((value) => ({
              value,
              label: `${formatNumber(found[value])} ${outcomes[value]}`,
            })),
          ]}
          onValue={setStatus}
        />
      </div>
      <div
        className="max-h-120 overflow-auto rounded border border-line"
        tabIndex={0}
        role="region"
        aria-label={words.rows}
      >
        <table className="w-full text-left text-sm">
          <thead className="text-soft">
            <tr>
              <th className="px-3 py-1 font-normal">{words.row}</th>
              <th className="px-3 py-1 font-normal">{words.outcome}</th>
              <th className="px-3 py-1 font-normal">{words.shortUrl}</th>
              <th className="px-3 py-1 font-normal">{words.fields.destinationUrl}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} row={row} outcome={outcomes[row.status]} />
            ))}
          </tbody>
        </table>
        {query.hasNextPage && (
          <div className="p-3">
            <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              {text.actions.more}
            </Button>
          </div>
        )}
      </div>
    </div>
  )
}

function Row({
  row: { row, status, shortUrl, destinationUrl, note },
  outcome,
}: {
  row: ImportRow
  outcome: string
}) {
  return (
    <tr className="border-t border-line align-top">
      <td className="px-3 py-1.5 font-mono">{row}</td>
      <td className={`px-3 py-1.5 ${status === 'failed' ? 'text-stop' : ''}`}>{outcome}</td>
      <td className="min-w-48 px-3 py-1.5">
        {shortUrl !== null && <span className="block font-mono break-all">{shortUrl}</span>}
        {note !== null && <span className="block text-soft">{note}</span>}
      </td>
      <td className="min-w-48 px-3 py-1.5 font-mono break-all">{destinationUrl}</td>
    </tr>
  )
}
