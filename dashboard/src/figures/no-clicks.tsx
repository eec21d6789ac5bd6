import { Button, buttonClass } from '../kit/button.tsx'
import { formatNumber, getTimeZone } from '../kit/locale.ts'
import { text } from '../text/figures.ts'
import type { Summary } from './queries.ts'
import { FILTERS, isFiltered, type FigureSearch } from './search.ts'

const BAR = 'flex flex-wrap items-center gap-3 rounded border border-line bg-card px-4 py-3 text-sm'

/** An empty period says where clicks are, and shows them; a link without any is opened from here. */
export function NoClicks({
  summary: { data, meta },
  search,
  unvisitedUrl,
  onChange,
}: {
  summary: Summary
  search: FigureSearch
  unvisitedUrl: string | undefined
  onChange: (change: Partial<FigureSearch>) => void
}) {
  if (data.totals.clicks > 0) return null
  if (unvisitedUrl !== undefined)
    return (
      <div role="status" className={BAR}>
        <span>{text.figures.noneYet}</span>
        <a href={unvisitedUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
          {text.figures.openLink}
        </a>
      </div>
    )
  const before = data.comparison?.clicks ?? 0
  const timeZone = search.zone ?? getTimeZone()
  const dayOf = (iso: string, shiftMs = 0) =>
    new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(
      Date.parse(iso) + shiftMs,
    )
  const [message, action, change] = ((): [string, string, Partial<FigureSearch>] => {
    if (isFiltered(search)) {
      const none = Object.fromEntries(FILTERS.map((name) => [name, undefined]))
      return [text.figures.noneFiltered, text.figures.unfilter, none]
    }
    if (before > 0 && data.comparison) {
      const { start, end } = data.comparison.period
      return [
        text.figures.noneButBefore(formatNumber(before)),
        text.figures.showBefore,
        { start: dayOf(start), end: dayOf(end, -1) },
      ]
    }
    const year = { period: '1y', start: undefined, end: undefined } as const
    return [text.figures.noneInPeriod, text.figures.showYear, year]
  })()
  if (search.period === '1y' && !isFiltered(search) && before === 0) return null
  return (
    <div role="status" className={BAR}>
      <span>{message}</span>
      <Button onClick={() => onChange(change)}>{action}</Button>
      <span className="text-soft">{meta.timezone}</span>
    </div>
  )
}
