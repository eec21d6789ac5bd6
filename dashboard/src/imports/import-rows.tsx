import { Link as RouterLink } from '@tanstack/react-router'
import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { MoreButton } from '../kit/paged-list.tsx'
import { text } from '../text/imports.ts'
import { rowsQuery, type ImportRow, type LinkImport } from './queries.ts'

const STATUSES: readonly ImportRow['status'][] = ['created', 'updated', 'skipped', 'failed']

/** Each row with its short URL: what has become of it, or would in a dry run. */
export function ImportRows({ of: found }: { of: LinkImport }) {
  const { id: workspaceId } = useWorkspace()
  const mayWrite = useMay('member')
  const hasLinks = !found.dryRun && found.created + found.updated + found.skipped > 0
  const [status, setStatus] = useState<ImportRow['status'] | ''>('')
  const { list, rows, total = 0 } = usePages(rowsQuery(workspaceId, found.id, status))
  const outcomes = found.dryRun ? text.imports.wouldBe : text.imports.were
  if (list.error) return <ErrorNote error={list.error} onRetry={() => void list.refetch()} />
  // Rows of an earlier import are not kept.
  if (status === '' && total === 0) return null
  return (
    <div className="flex flex-col gap-2">
      {mayWrite && hasLinks && (
        <RouterLink
          to="/$workspaceId/bio-pages"
          params={{ workspaceId }}
          search={{ new: true, importId: found.id }}
          className={buttonClass('plain', 'self-start')}
        >
          <Icon name="smartphone" /> {text.imports.toBioPage}
        </RouterLink>
      )}
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h3 className="font-semibold">{text.imports.rows}</h3>
        <SelectField
          label={text.imports.rowFilter}
          value={status}
          options={[
            { value: '' as const, label: text.imports.allRows },
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
        aria-label={text.imports.rows}
      >
        <table className="w-full text-start text-sm">
          <thead className="text-soft">
            <tr>
              <th className="px-3 py-1 font-normal">{text.imports.row}</th>
              <th className="px-3 py-1 font-normal">{text.imports.outcome}</th>
              <th className="px-3 py-1 font-normal">{text.imports.shortUrl}</th>
              <th className="px-3 py-1 font-normal">{text.imports.fields.destinationUrl}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.row} row={row} outcome={outcomes[row.status]} />
            ))}
          </tbody>
        </table>
        <MoreButton list={list} className="p-3" />
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
