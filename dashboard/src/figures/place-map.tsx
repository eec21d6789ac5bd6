import { MAP_FILLS, MAP_STEPS, WorldMap } from '../charts/world-map.tsx'
import { formatCountry, formatPercent } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { text } from '../text/figures.ts'

type Row = { label: string; clicks: number; percent: number }

/** The map of the countries with its key; it loads after the table. */
export function PlaceMap({
  rows,
  pointed,
  onPoint,
  onChoose,
}: {
  rows: readonly Row[]
  pointed: string | null
  onPoint: (code: string | null) => void
  onChoose: (code: string, isExcluded: boolean) => void
}) {
  const shares = new Map(rows.map(({ label, percent }) => [label, percent]))
  const row = rows.find(({ label }) => label === pointed)
  const describe = (code: string) => {
    const { clicks = 0, percent = 0 } = rows.find(({ label }) => label === code) ?? {}
    return text.figures.mapCountry(
      formatCountry(code),
      formatNumber(clicks),
      formatPercent(percent),
    )
  }
  return (
    <figure>
      <WorldMap
        shares={shares}
        pointed={pointed}
        label={text.figures.mapLabel}
        describe={describe}
        onPoint={onPoint}
        onChoose={onChoose}
      />
      <p className="min-h-6 text-sm" aria-hidden="true">
        {row && (
          <>
            <b className="font-semibold">{formatCountry(row.label)}</b> {formatNumber(row.clicks)},{' '}
            {formatPercent(row.percent)}
          </>
        )}
      </p>
      <figcaption className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
        {MAP_STEPS.map((step, index) => (
          <span key={step} className="inline-flex items-center gap-1">
            <svg width="12" height="12" aria-hidden="true">
              <rect width="12" height="12" className={MAP_FILLS[index]} />
            </svg>
            {text.figures.mapStep(step, MAP_STEPS[index + 1])}
          </span>
        ))}
        <span className="inline-flex items-center gap-1">
          <svg width="12" height="12" aria-hidden="true">
            <rect width="12" height="12" className="fill-sunk stroke-line" />
          </svg>
          {text.figures.mapNone}
        </span>
        <span className="ms-auto">{text.figures.mapSource}</span>
      </figcaption>
    </figure>
  )
}
