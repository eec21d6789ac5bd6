import { scaleLinear } from 'd3-scale'
import { area, curveMonotoneX, line } from 'd3-shape'
import { useId, useMemo, type PointerEvent } from 'react'
import { useRange, type Range } from './use-range.ts'
import { useWidth } from './use-width.ts'

export type Point = {
  /** The name of the bucket on the axis and in the tip. */
  label: string
  longLabel: string
  value: number
  /** Counted by another service, drawn as a bar. */
  imported: number
  /** Of the compared period; null: none. */
  before: number | null
  beforeLabel: string | null
  /** A Saturday or Sunday, drawn on a shaded ground. */
  isWeekend: boolean
  /** The first day of a week, which the axis names. */
  isWeekStart: boolean
  /** The bucket is not over: its line is dotted. */
  isOpen: boolean
}

/** Something that happened in a bucket, drawn as a post with a short name. */
export type Post = { at: number; name: string; title: string }

export type ChartText = {
  now: string
  before: string
  imported?: string
  /** Read out instead of the drawing. */
  describe: string
  format: (value: number) => string
}

/** Selection of buckets that the user draws over, and the action on it. */
export type Ranges = {
  /** Explanation of the keys that choose them, for screen readers. */
  hint: string
  /** From the first to the last bucket. */
  name: (first: string, last: string) => string
  /** Label of the button that shows them. */
  action: (range: string) => string
  onShow: (first: number, last: number) => void
}

const HEIGHT = 240
const MARGIN = { top: 12, right: 56, bottom: 28, left: 48 }
const TICKS = 4
const POST_RADIUS = 10
const TICK_WIDTH = 64

/** A series and the one it is compared with. Pointer, thumb and arrow keys choose a bucket, or a range of them. */
export function LineChart({
  points,
  posts = [],
  text,
  ranges,
}: {
  points: readonly Point[]
  posts?: readonly Post[]
  text: ChartText
  ranges?: Ranges
}) {
  const { ref, width } = useWidth()
  const tipId = useId()
  const plot = useMemo(() => layOut(points, width), [points, width])
  const last = points.length - 1
  const { chosen, range, isOffered, ...use } = useRange(
    points[0]?.longLabel ?? '',
    last,
    ranges?.onShow,
  )
  const point = chosen === null ? undefined : points[chosen]
  const rangeText = range && ranges?.name(points[range[0]]!.label, points[range[1]]!.label)
  const description = [text.describe, ranges?.hint].filter(Boolean).join(' ')
  const bucketAt = ({ clientX, currentTarget }: PointerEvent) => {
    const x = clientX - currentTarget.getBoundingClientRect().left
    return Math.max(0, Math.min(last, Math.round(plot.x.invert(x))))
  }
  return (
    <div ref={ref} className="relative px-2">
      <p id={tipId} className="min-h-6 px-2 text-sm" aria-live={point ? 'polite' : 'off'}>
        {(point ?? points[last]) && <Tip point={(point ?? points[last])!} text={text} />}
      </p>
      <svg
        width={width}
        height={HEIGHT}
        role="slider"
        tabIndex={0}
        aria-label={description}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={chosen ?? last}
        aria-valuetext={rangeText ?? (point ? describePoint(point, text) : description)}
        className="block touch-pan-y"
        onPointerMove={(event) => use.move(bucketAt(event))}
        onPointerDown={(event) => use.press(bucketAt(event), event)}
        onPointerUp={use.release}
        onPointerCancel={use.drop}
        onPointerLeave={use.leave}
        onBlur={use.leave}
        onKeyDown={use.step}
      >
        <Weekends points={points} plot={plot} />
        {range && <Drawn range={range} plot={plot} />}
        <Bars points={points} plot={plot} />
        <Axes points={points} plot={plot} width={width} text={text} />
        <Lines plot={plot} width={width} text={text} />
        <Posts posts={posts} plot={plot} />
        {chosen !== null && point && <Mark x={plot.x(chosen)} y={plot.y(point.value)} />}
      </svg>
      {isOffered && ranges && rangeText && (
        <button
          type="button"
          className="absolute top-8 end-16 min-h-9 rounded border border-edge bg-card px-3 text-sm font-semibold shadow-popup max-md:min-h-11"
          onClick={use.show}
        >
          {ranges.action(rangeText)}
        </button>
      )}
    </div>
  )
}

function describePoint({ longLabel, value, imported }: Point, text: ChartText): string {
  const more = imported > 0 ? `, ${text.imported} ${text.format(imported)}` : ''
  return `${longLabel}: ${text.format(value)}${more}`
}

type Plot = ReturnType<typeof layOut>

/** The values of the chosen bucket, above the drawing, where no thumb covers them. */
function Tip({ point, text }: { point: Point; text: ChartText }) {
  return (
    <>
      <b className="font-semibold">{point.longLabel}</b>{' '}
      <span className="text-lake">
        {text.now} <b>{text.format(point.value)}</b>
      </span>{' '}
      {point.imported > 0 && (
        <span className="text-soft">
          {text.imported} <b>{text.format(point.imported)}</b>{' '}
        </span>
      )}
      {point.before !== null && (
        <span className="text-soft">
          {text.before} {point.beforeLabel} <b>{text.format(point.before)}</b>
        </span>
      )}
    </>
  )
}

function Weekends({ points, plot }: { points: readonly Point[]; plot: Plot }) {
  return points.map(
    ({ isWeekend }, at) =>
      isWeekend && (
        <rect
          key={at}
          x={plot.x(at - 0.5)}
          y={MARGIN.top}
          width={plot.x(1) - plot.x(0)}
          height={HEIGHT - MARGIN.top - MARGIN.bottom}
          className="fill-sunk opacity-60"
        />
      ),
  )
}

const BAR_SHARE = 0.6

function Bars({ points, plot }: { points: readonly Point[]; plot: Plot }) {
  const width = (plot.x(1) - plot.x(0)) * BAR_SHARE
  return points.map(
    ({ imported }, at) =>
      imported > 0 && (
        <rect
          key={at}
          x={plot.x(at) - width / 2}
          y={plot.y(imported)}
          width={width}
          height={plot.y(0) - plot.y(imported)}
          className="fill-edge opacity-50"
        />
      ),
  )
}

type Part = { plot: Plot; width: number; text: ChartText }

function Axes({ points, plot, width, text }: Part & { points: readonly Point[] }) {
  return (
    <>
      {plot.ticks.map((tick) => (
        <g key={tick}>
          <path
            d={`M${MARGIN.left} ${plot.y(tick)}H${width - MARGIN.right}`}
            className="stroke-line"
          />
          <text
            x={MARGIN.left - 8}
            y={plot.y(tick) + 4}
            textAnchor="end"
            className="fill-soft text-xs"
          >
            {text.format(tick)}
          </text>
        </g>
      ))}
      {plot.labels.map((at) => (
        <text
          key={at}
          x={plot.x(at)}
          y={HEIGHT - 8}
          textAnchor="middle"
          className="fill-soft text-xs"
        >
          {points[at]!.label}
        </text>
      ))}
    </>
  )
}

/** Both series, and their names at their ends. */
function Lines({ plot, width, text }: Part) {
  return (
    <>
      <path d={plot.area} className="fill-lake opacity-[0.07]" />
      <path
        d={plot.before}
        fill="none"
        strokeWidth="1.75"
        strokeDasharray="5 4"
        className="stroke-edge"
      />
      <path d={plot.closed} fill="none" strokeWidth="2.25" className="stroke-lake" />
      <path
        d={plot.open}
        fill="none"
        strokeWidth="2.25"
        strokeDasharray="2 4"
        className="stroke-lake"
      />
      {plot.ends.map(({ name, y, className }) => (
        <text key={name} x={width - MARGIN.right + 6} y={y} className={`text-xs ${className}`}>
          {name === 'now' ? text.now : text.before}
        </text>
      ))}
    </>
  )
}

function Posts({ posts, plot }: { posts: readonly Post[]; plot: Plot }) {
  return posts.map(({ at, name, title }) => (
    <g key={name}>
      <title>{title}</title>
      <path d={`M${plot.x(at)} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}`} className="stroke-ink" />
      <circle cx={plot.x(at)} cy={MARGIN.top} r={POST_RADIUS} className="fill-card stroke-ink" />
      <text
        x={plot.x(at)}
        y={MARGIN.top + 4}
        textAnchor="middle"
        className="fill-ink text-xs font-semibold"
      >
        {name}
      </text>
    </g>
  ))
}

/** The buckets that the user draws over. */
function Drawn({ range: [first, last], plot }: { range: Range; plot: Plot }) {
  return (
    <rect
      x={plot.x(first - 0.5)}
      y={MARGIN.top}
      width={plot.x(last - first + 1) - plot.x(0)}
      height={HEIGHT - MARGIN.top - MARGIN.bottom}
      className="fill-way opacity-30"
    />
  )
}

/** The chosen bucket. */
function Mark({ x, y }: { x: number; y: number }) {
  return (
    <g>
      <path d={`M${x} ${MARGIN.top}V${HEIGHT - MARGIN.bottom}`} className="stroke-lake" />
      <circle cx={x} cy={y} r="4" className="fill-lake stroke-card" strokeWidth="2" />
    </g>
  )
}

/** Scales, lines and labels of a chart of a width in pixels. */
function layOut(points: readonly Point[], width: number) {
  const last = Math.max(1, points.length - 1)
  const most = Math.max(
    4,
    ...points.map(({ value, imported, before }) => Math.max(value, imported, before ?? 0)),
  )
  const x = scaleLinear([0, last], [MARGIN.left, width - MARGIN.right])
  const y = scaleLinear([0, most], [HEIGHT - MARGIN.bottom, MARGIN.top]).nice(TICKS)
  const at = points.map((point, index) => ({ ...point, index }))
  const draw = line<(typeof at)[number]>()
    .x(({ index }) => x(index))
    .y(({ value }) => y(value))
    .curve(curveMonotoneX)
  const openAt = at.findIndex(({ isOpen }) => isOpen)
  const closed = openAt < 0 ? at : at.slice(0, openAt)
  const open = openAt < 0 ? [] : at.slice(Math.max(0, openAt - 1))
  const compared = at.filter(({ before }) => before !== null)
  const every = Math.max(1, Math.ceil((points.length * TICK_WIDTH) / Math.max(1, width - 120)))
  const ground = area<(typeof at)[number]>()
    .x(({ index }) => x(index))
    .y0(y(0))
    .y1(({ value }) => y(value))
    .curve(curveMonotoneX)
  const ends = endsOf(points, y)
  return {
    x,
    y,
    ends,
    ticks: y.ticks(TICKS).filter(Number.isInteger),
    labels: labelsOf(at, every),
    area: ground(at) ?? '',
    closed: draw(closed) ?? '',
    open: draw(open) ?? '',
    before:
      line<(typeof at)[number]>()
        .x(({ index }) => x(index))
        .y(({ before }) => y(before!))
        .curve(curveMonotoneX)(compared) ?? '',
  }
}

/** The buckets that the axis names: the first days of weeks where these are far enough apart. */
function labelsOf(points: readonly (Point & { index: number })[], every: number): number[] {
  const weeks = points.filter(({ isWeekStart }) => isWeekStart)
  if (every > 1 && weeks.length > 1) {
    const everyWeeks = Math.ceil(every / 7)
    return weeks.filter((_, at) => at % everyWeeks === 0).map(({ index }) => index)
  }
  return points.filter(({ index }) => index % every === 0).map(({ index }) => index)
}

const LABEL_HEIGHT = 14

/** The names at the ends of the lines, moved apart where they would overlap, and never down into the axis. */
function endsOf(points: readonly Point[], y: (value: number) => number) {
  const end = points.at(-1)
  if (!end) return []
  const now = { name: 'now', y: y(end.value) + 4, className: 'fill-lake font-semibold' }
  if (end.before === null) return [now]
  const before = { name: 'before', y: y(end.before) + 4, className: 'fill-soft' }
  if (Math.abs(now.y - before.y) < LABEL_HEIGHT) {
    const [upper, lower] = now.y <= before.y ? [now, before] : [before, now]
    lower.y = Math.min(upper.y + LABEL_HEIGHT, y(0) + 4)
    upper.y = lower.y - LABEL_HEIGHT
  }
  return [now, before]
}
