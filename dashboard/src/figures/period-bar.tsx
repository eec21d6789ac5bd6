import { getTimeZone } from '../kit/format.ts'
import { text } from '../text/en.ts'
import { PERIODS, type FigureSearch } from './search.ts'

type Props = { search: FigureSearch; onChange: (change: Partial<FigureSearch>) => void }

const BUTTON =
  'min-h-9 max-md:min-h-11 border-r border-line px-3 text-sm last:border-r-0 aria-pressed:here aria-pressed:font-semibold'

/** Which time the figures are about, what they are compared with, and in whose days. */
export function PeriodBar({ search, onChange }: Props) {
  const { period = '30d', start, end, compare = 'previous', zone } = search
  const isOwn = start !== undefined && end !== undefined
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <div
        role="group"
        aria-label={text.figures.period}
        className="inline-flex overflow-hidden rounded border border-edge bg-card"
      >
        {PERIODS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={!isOwn && each === period}
            className={BUTTON}
            onClick={() => onChange({ period: each, start: undefined, end: undefined })}
          >
            {text.figures.periods[each]}
          </button>
        ))}
      </div>
      <DayRange search={search} onChange={onChange} />
      <select
        aria-label={text.figures.compare}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11"
        value={compare}
        onChange={(event) => {
          const value = event.target.value as 'none' | 'previous' | 'year'
          onChange({ compare: value === 'previous' ? undefined : value })
        }}
      >
        {(['previous', 'year', 'none'] as const).map((each) => (
          <option key={each} value={each}>
            {text.figures.comparisons[each]}
          </option>
        ))}
      </select>
      <span className="text-sm text-soft" title={text.figures.zoneHint}>
        {zone ?? getTimeZone()}
      </span>
    </div>
  )
}

/** Two days of the user's own; both are needed before the figures change. */
function DayRange({ search: { start, end }, onChange }: Props) {
  return (
    <form
      className="inline-flex items-center gap-1"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const from = form.get('start')
        const to = form.get('end')
        if (typeof from === 'string' && typeof to === 'string' && from && to)
          onChange({ start: from <= to ? from : to, end: from <= to ? to : from })
      }}
      onChange={(event) => event.currentTarget.requestSubmit()}
    >
      <input
        key={`start-${start}`}
        type="date"
        name="start"
        aria-label={text.figures.from}
        defaultValue={start}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11"
      />
      <input
        key={`end-${end}`}
        type="date"
        name="end"
        aria-label={text.figures.to}
        defaultValue={end}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11"
      />
    </form>
  )
}
