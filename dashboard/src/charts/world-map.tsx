import { MAP_DOTS, MAP_PATHS, MAP_SIZE } from './world-map.gen.ts'

/** Shares in percent from which the next colour begins. */
export const MAP_STEPS = [0, 0.5, 2, 5, 10] as const
/** From light to full on the ground of a card, in both themes. */
export const MAP_FILLS = [
  'fill-lake opacity-20',
  'fill-lake opacity-40',
  'fill-lake opacity-60',
  'fill-lake opacity-80',
  'fill-lake',
] as const
const NONE = 'fill-sunk'
const DOT_RADIUS = 45

/** Countries coloured by their share. Rows beside it say and do the same for keyboards. */
export function WorldMap({
  shares,
  pointed,
  label,
  onPoint,
  onChoose,
}: {
  /** Percent by ISO code; absent: none. */
  shares: ReadonlyMap<string, number>
  /** The country that is outlined; null: none. */
  pointed: string | null
  label: string
  onPoint: (code: string | null) => void
  onChoose: (code: string, isExcluded: boolean) => void
}) {
  const [width, height] = MAP_SIZE
  const outline = MAP_PATHS.find(([code]) => code === pointed && code !== '')?.[1]
  const dot = MAP_DOTS.find(([code]) => code === pointed)?.[1]
  const propsOf = (code: string) =>
    shares.has(code)
      ? {
          className: `${MAP_FILLS[stepOf(shares.get(code)!)]} stroke-card cursor-pointer`,
          onPointerEnter: () => onPoint(code),
          onPointerLeave: () => onPoint(null),
          onClick: (event: { altKey: boolean }) => onChoose(code, event.altKey),
        }
      : { className: `${NONE} stroke-line` }
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      className="block h-auto w-full"
    >
      {MAP_PATHS.map(([code, path]) => (
        <path key={code} d={path} strokeWidth="6" {...propsOf(code)} />
      ))}
      {MAP_DOTS.map(
        ([code, [x, y]]) =>
          shares.has(code) && (
            <circle key={code} cx={x} cy={y} r={DOT_RADIUS} strokeWidth="12" {...propsOf(code)} />
          ),
      )}
      {outline && (
        <path d={outline} fill="none" strokeWidth="24" className="pointer-events-none stroke-ink" />
      )}
      {dot && (
        <circle
          cx={dot[0]}
          cy={dot[1]}
          r={DOT_RADIUS * 1.6}
          fill="none"
          strokeWidth="24"
          className="pointer-events-none stroke-ink"
        />
      )}
    </svg>
  )
}

function stepOf(percent: number): number {
  return Math.max(
    0,
    MAP_STEPS.findLastIndex((step) => percent >= step),
  )
}
