import { useState } from 'react'
import { getTimeZone } from '../kit/locale.ts'
import { Button } from '../kit/button.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { text } from '../text/figures.ts'
import { isChosen, toPresets } from './presets.ts'
import { dayIn, daysName, RangeButton } from './range-button.tsx'
import { toOwnCompare, type FigureSearch } from './search.ts'
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

/** Choice of the period, of the period to compare with and of the time zone. */
export function PeriodBar({
  search,
  shown,
  isOfLink = false,
  hasComparison = true,
  onChange,
}: Props) {
  const { zone = getTimeZone() } = search
  const [isZoneOpen, setZoneOpen] = useState(false)
  usePeriodKeys(search, onChange, isOfLink)
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      <PeriodButton search={search} shown={shown} onChange={onChange} />
      {hasComparison && <Comparison search={search} onChange={onChange} />}
      <Button icon="globe" onClick={() => setZoneOpen(true)} aria-label={text.figures.zone(zone)}>
        <span title={text.figures.zoneHint} className="max-md:hidden">
          {zone}
        </span>
      </Button>
      {isZoneOpen && (
        <ZonePicker
          value={zone}
          onChoose={(chosen) => onChange({ zone: chosen })}
          onClose={() => setZoneOpen(false)}
        />
      )}
    </div>
  )
}

/** The period by its name, or by its days; opens the other ones. */
function PeriodButton({ search, shown, onChange }: Pick<Props, 'search' | 'shown' | 'onChange'>) {
  const { zone = getTimeZone(), start = shown?.[0], end = shown?.[1] } = search
  const presets = toPresets(dayIn(zone))
  const chosen = presets.find((preset) => isChosen(preset, search))
  return (
    <RangeButton
      label={text.figures.period}
      name={chosen ? text.figures.presets[chosen.id] : start && end ? daysName(start, end) : ''}
      panel={{
        ...{ start, end, zone },
        presets: presets.map((preset) => ({
          ...preset,
          isChosen: preset === chosen,
          onChoose: () => onChange(preset.change),
        })),
        onRange: (from, to) => onChange({ start: from, end: to }),
      }}
    />
  )
}

/** The time before, a year ago, none, or two days of the user's own. */
function Comparison({
  search: { compare = 'previous', zone = getTimeZone() },
  onChange,
}: Pick<Props, 'search' | 'onChange'>) {
  const own = toOwnCompare(compare)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <select
        aria-label={text.figures.compare}
        className="min-h-9 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11 max-md:min-w-0 max-md:flex-1 max-md:basis-0"
        value={own || isAsking ? 'own' : compare}
        onChange={(event) => {
          const value = event.target.value as 'none' | 'previous' | 'year' | 'own'
          setAsking(value === 'own')
          if (value !== 'own') onChange({ compare: value === 'previous' ? undefined : value })
        }}
      >
        {(['previous', 'year', 'none', 'own'] as const).map((each) => (
          <option key={each} value={each}>
            {text.figures.comparisons[each]}
          </option>
        ))}
      </select>
      {(own !== null || isAsking) && (
        <RangeButton
          label={text.figures.comparedPeriod}
          name={own ? daysName(own.start, own.end) : text.figures.chooseDays}
          panel={{
            ...{ start: own?.start, end: own?.end, zone, presets: [] },
            onRange: (from, to) => onChange({ compare: `${from},${to}` }),
          }}
        />
      )}
    </>
  )
}
