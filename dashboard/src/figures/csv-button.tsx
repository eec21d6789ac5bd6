import { downloadText, toCsv } from '../kit/download.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/figures.ts'
import { nameOf } from './labels.ts'
import type { BreakdownRow } from './breakdown-rows.tsx'
import type { Dimension } from './search.ts'

export type Counted = 'clicks' | 'views'

/** The rows of a card as a file, made in the browser, so that it has the numbers that are shown. */
export function CsvButton({
  name,
  dimension,
  rows,
  counted = 'clicks',
}: {
  name: string
  dimension: Dimension
  rows: readonly BreakdownRow[]
  counted?: Counted | undefined
}) {
  return (
    <FileButton
      label={text.figures.csvOf(text.figures.dimensions[dimension])}
      onSave={() =>
        saveCsv(`signpost-${name}`, [
          [name, 'name', counted, 'percent', `${counted}_before`],
          ...rows.map(({ label, clicks, percent, comparedClicks }) => [
            label,
            nameOf(dimension, label),
            clicks,
            percent,
            comparedClicks,
          ]),
        ])
      }
    />
  )
}

export function FileButton({ label, onSave }: { label: string; onSave: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex min-h-8 items-center gap-1 rounded px-1 text-sm text-lake hover:bg-sunk max-md:min-h-11"
      onClick={onSave}
    >
      <Icon name="download" size={14} /> CSV
    </button>
  )
}

export function saveCsv(name: string, rows: Parameters<typeof toCsv>[0]): void {
  downloadText(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(rows))
}
