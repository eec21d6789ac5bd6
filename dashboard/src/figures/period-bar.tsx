import { useState } from 'react'
import { formatDay } from '../kit/format.ts'
import { getTimeZone } from '../kit/locale.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { text } from '../text/figures.ts'
import { DayRange } from './day-range.tsx'
import { PERIODS, toOwnCompare, type FigureSearch } from './search.ts'
import { usePeriodKeys } from './use-period-keys.ts'

const ZonePicker = lazyPart(() => import('../kit/zone-picker.tsx'), 'ZonePicker')

type Props = {
  search: FigureSearch
  /** The first and the last day of the figures that are shown. */
  shown?: readonly [string, string] | undefined
  isOfLink?: boolean
  hasComparison?: boolean
  onChange: (change: Partial<FigureSearch>) => void
}

const BUTTON =
  'min-h-9 border-e border-line px-3 text-sm whitespace-nowrap last:border-e-0 max-md:min-h-11 max-md:flex-auto max-md:px-0.5 max-md:text-xs aria-pressed:here aria-pressed:font-semibold'

/** Choice of the period, of the period to compare with and of the time zone. */
export function PeriodBar({
  search,
  shown,
  isOfLink = false,
  hasComparison = true,
  onChange,
}: Props) {
  const { period = '30d', start, end, zone } = search
  const [isZoneOpen, setZoneOpen] = useState(false)
  // On phones the other choices would push the figures off the screen.
  const [isMore, setMore] = useState(false)
  const isOwn = start !== undefined && end !== undefined
  usePeriodKeys(search, onChange, isOfLink)
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <div
        role="group"
        aria-label={text.figures.period}
        className="inline-flex overflow-hidden rounded border border-edge bg-card max-md:flex max-md:flex-[1_1_280px]"
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
      <IconButton
        icon="calendar"
        label={text.figures.morePeriods}
        className="border border-edge bg-card md:hidden"
        aria-expanded={isMore}
        onClick={() => setMore(!isMore)}
      />
      <div className={`contents ${isMore || isOwn ? '' : 'max-md:hidden'}`}>
        <DayRange
          start={start ?? shown?.[0]}
          end={end ?? shown?.[1]}
          labels={[text.figures.from, text.figures.to]}
          onRange={(from, to) => onChange({ start: from, end: to })}
        />
        {hasComparison && <Comparison search={search} onChange={onChange} />}
        <Button icon="globe" onClick={() => setZoneOpen(true)}>
          <span title={text.figures.zoneHint}>{zone ?? getTimeZone()}</span>
        </Button>
      </div>
      {isZoneOpen && (
        <ZonePicker
          value={zone ?? getTimeZone()}
          onChoose={(chosen) => onChange({ zone: chosen })}
          onClose={() => setZoneOpen(false)}
        />
      )}
    </div>
  )
}

/** The time before, a year ago, none, or two days of the user's own. */
function Comparison({ search: { compare = 'previous' }, onChange }: Props) {
  const own = toOwnCompare(compare)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <select
        aria-label={text.figures.compare}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11 max-md:flex-1"
        value={own || isAsking ? 'own' : compare}
        onChange={(event) => {
          const value = event.target.value as 'none' | 'previous' | 'year' | 'own'
          setAsking(value === 'own')
          if (value !== 'own') onChange({ compare: value === 'previous' ? undefined : value })
        }}
      >
        {(['previous', 'year', 'none', 'own'] as const).map((each) => (
          <option key={each} value={each}>
            {each === 'own' && own
              ? text.figures.comparedDays(dayName(own.start), dayName(own.end))
              : text.figures.comparisons[each]}
          </option>
        ))}
      </select>
      {(own !== null || isAsking) && (
        <DayRange
          start={own?.start}
          end={own?.end}
          labels={[text.figures.compareFrom, text.figures.compareTo]}
          onRange={(from, to) => onChange({ compare: `${from},${to}` })}
        />
      )}
    </>
  )
}

function dayName(day: string): string {
  return formatDay(`${day}T00:00:00Z`, 'UTC')
}
