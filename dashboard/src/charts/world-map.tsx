import { useId, type KeyboardEvent } from 'react'
import { MAP_DOTS, MAP_PATHS, MAP_SIZE } from './world-map.gen.ts'

/** Shares in percent from which the next color begins. */
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
const DRAWN = new Set([...MAP_PATHS, ...MAP_DOTS].map(([code]) => code).filter(Boolean))

type Choice = {
  /** The country that is outlined; null: none. */
  pointed: string | null
  onPoint: (code: string | null) => void
  onChoose: (code: string, isExcluded: boolean) => void
}

/** Countries colored by their share. The arrow keys go from one with a share to the next; Enter chooses it. */
export function WorldMap({
  shares,
  pointed,
  label,
  describe,
  onPoint,
  onChoose,
}: Choice & {
  /** Percent by ISO code, in the order of the arrow keys; absent: none. */
  shares: ReadonlyMap<string, number>
  label: string
  /** Text of a country for screen readers. */
  describe: (code: string) => string
}) {
  const [width, height] = MAP_SIZE
  const outline = MAP_PATHS.find(([code]) => code === pointed && code !== '')?.[1]
  const dot = MAP_DOTS.find(([code]) => code === pointed)?.[1]
  const mapId = useId()
  const codes = [...shares.keys()].filter((code) => DRAWN.has(code))
  const propsOf = (code: string) =>
    shares.has(code)
      ? {
          id: `${mapId}-${code}`,
          role: 'option',
          'aria-label': describe(code),
          'aria-selected': code === pointed,
          className: `${MAP_FILLS[stepOf(shares.get(code)!)]} stroke-card cursor-pointer`,
          onPointerEnter: () => onPoint(code),
          onPointerLeave: () => onPoint(null),
          onClick: (event: { altKey: boolean }) => onChoose(code, event.altKey),
        }
      : { className: `${NONE} stroke-line` }
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      aria-label={label}
      className="block h-auto w-full rounded"
      {...keyProps({ mapId, codes, pointed, onPoint, onChoose })}
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

/** A map with countries to choose from is a list, which keys go through. */
function keyProps({
  mapId,
  codes,
  pointed,
  onPoint,
  onChoose,
}: Choice & { mapId: string; codes: readonly string[] }) {
  const [first] = codes
  if (first === undefined) return { role: 'img' }
  return {
    role: 'listbox',
    tabIndex: 0,
    ...(pointed && codes.includes(pointed)
      ? { 'aria-activedescendant': `${mapId}-${pointed}` }
      : {}),
    onFocus: () => onPoint(pointed ?? first),
    onBlur: () => onPoint(null),
    onKeyDown: (event: KeyboardEvent) => {
      const next = toNext(codes, pointed, event.key)
      if (next !== undefined) onPoint(next)
      else if (event.key === 'Enter' && pointed) onChoose(pointed, event.altKey)
      else return
      event.preventDefault()
    },
  }
}

/** The country that a key goes to; undefined: the key does not move. */
function toNext(codes: readonly string[], from: string | null, key: string): string | undefined {
  const last = codes.length - 1
  const at = from === null ? -1 : codes.indexOf(from)
  const to = {
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    Home: 0,
    End: last,
  }[key]
  return to === undefined ? undefined : codes[Math.max(0, Math.min(last, to))]
}

function stepOf(percent: number): number {
  return Math.max(
    0,
    MAP_STEPS.findLastIndex((step) => percent >= step),
  )
}
