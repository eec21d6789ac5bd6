import { LineChart, type Point, type Post } from '../charts/line-chart.tsx'
import { formatCompact } from '../kit/format.ts'
import { getLocale } from '../kit/locale.ts'
import { Card } from '../kit/layout.tsx'
import { toOffsetTime } from '../kit/local-time.ts'
import { text } from '../text/figures.ts'
import { FileButton, saveCsv } from './csv-button.tsx'
import { SHORT, toPoints, type Granularity } from './points.ts'
import type { Summary } from './queries.ts'
import { SeriesTable } from './series-table.tsx'

/** A version of a link: what it is called, and since when it serves. */
export type Version = { number: number; since: string }

/** Clicks by hour, day, week or month. Names of buckets follow the zone of the question. */
export function SeriesCard({
  summary: { data, meta },
  versions = [],
  onRange,
}: {
  summary: Summary
  /** Of the link that the figures are about, the latest first. */
  versions?: readonly Version[]
  /** A period that the user has drawn, as its first and last day. */
  onRange?: (start: string, end: string) => void
}) {
  const granularity = meta.granularity ?? 'day'
  const points = toClickPoints(data, meta.timezone, granularity)
  const dayOf = (ms: number) =>
    new Intl.DateTimeFormat('en-CA', { timeZone: meta.timezone, dateStyle: 'short' }).format(ms)
  const posts = toPosts(versions, data, Date.parse(meta.period.end))
  const startOf = (at: number) => Date.parse(data.series[at]?.start ?? meta.period.end)
  return (
    <Card
      title={text.figures.seriesTitle[granularity]}
      note={meta.timezone}
      action={
        <FileButton
          label={text.figures.csvOf(text.figures.seriesTitle[granularity])}
          onSave={() => saveSeries(data, meta.timezone)}
        />
      }
    >
      <div className="py-2">
        <LineChart
          points={points}
          posts={posts}
          {...(onRange
            ? {
                ranges: {
                  ...text.figures.range,
                  onShow: (from: number, to: number) =>
                    onRange(dayOf(startOf(from)), dayOf(startOf(to + 1) - 1)),
                },
              }
            : {})}
          text={{
            now: text.figures.now,
            before: text.figures.before,
            imported: text.figures.importedBars,
            describe: text.figures.seriesDescribe,
            format: formatCompact,
          }}
        />
        <p className="px-4 text-sm text-soft">
          {[
            ...noteOf(data, granularity, meta.timezone, Date.parse(meta.period.end)),
            ...(posts.length > 0 ? [text.figures.posts] : []),
          ].join(' ')}
        </p>
      </div>
      <SeriesTable
        points={points}
        columns={[
          { name: text.figures.clicks, show: ({ value }) => formatCompact(value) },
          {
            name: text.figures.before,
            show: ({ before }) => (before === null ? '' : formatCompact(before)),
          },
          ...(points.some(({ imported }) => imported > 0)
            ? [
                {
                  name: text.figures.importedBars,
                  show: ({ imported }: Point) => formatCompact(imported),
                },
              ]
            : []),
        ]}
      />
    </Card>
  )
}

function toClickPoints(
  { series, comparison }: Summary['data'],
  timeZone: string,
  granularity: Granularity,
) {
  const compared = comparison?.series.map(toBucket) ?? null
  return toPoints(series.map(toBucket), compared, timeZone, granularity)
}

function toBucket({ start, clicks, importedClicks }: Summary['data']['series'][number]) {
  return { start, value: clicks, imported: importedClicks }
}

const HOUR_MS = 3_600_000

/** Legend of the drawing, and the days of the period that do not have 24 hours. */
function noteOf(
  { series }: Summary['data'],
  granularity: Granularity,
  timeZone: string,
  endMs: number,
): string[] {
  if (granularity !== 'day') return []
  const format = new Intl.DateTimeFormat(getLocale(), { ...SHORT.day, timeZone })
  const odd = series.slice(0, -1).flatMap(({ start }, index) => {
    const nextMs = Date.parse(series[index + 1]?.start ?? '') || endMs
    const hours = Math.round((nextMs - Date.parse(start)) / HOUR_MS)
    return hours === 24 || hours > 25
      ? []
      : [text.figures.oddDay(format.format(new Date(start)), hours)]
  })
  return [text.figures.weekends, ...odd]
}

/** A post for each bucket in which versions began, with the last of them. */
function toPosts(
  versions: readonly Version[],
  { series }: Summary['data'],
  endMs: number,
): readonly Post[] {
  const posts = new Map<number, Post>()
  for (const { number, since } of versions) {
    const sinceMs = Date.parse(since)
    const at = series.findLastIndex(({ start }) => Date.parse(start) <= sinceMs)
    if (at < 0 || sinceMs >= endMs || posts.has(at)) continue
    posts.set(at, { at, name: String(number), title: text.figures.postTitle(number) })
  }
  return [...posts.values()]
}

/** Starts are those of the zone, so that the days of the file are those of the page. */
function saveSeries({ series, comparison }: Summary['data'], timeZone: string): void {
  saveCsv('signpost-clicks', [
    ['start', 'clicks', 'start_before', 'clicks_before', 'imported_clicks'],
    ...series.map(({ start, clicks, importedClicks }, index) => {
      const before = comparison?.series[index]
      return [
        toOffsetTime(start, timeZone),
        clicks,
        before ? toOffsetTime(before.start, timeZone) : null,
        before?.clicks ?? null,
        importedClicks,
      ]
    }),
  ])
}
