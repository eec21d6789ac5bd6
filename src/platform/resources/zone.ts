import { invalid, itIs } from '../core/errors.ts'
import { text } from './shapes.ts'
import { HOUR_MS } from '../core/clock.ts'

const TIME_ZONE_MAX_CHARS = 64

export const TimeZoneInput = text('IANA name of a time zone.', 'Europe/Berlin', {
  minLength: 1,
  maxLength: TIME_ZONE_MAX_CHARS,
})

function toCanonicalZone(name: string): string {
  // Intl also accepts offsets such as +02:00, which do not follow clock changes.
  if (!/^[A-Za-z]/.test(name)) throw new RangeError('not an IANA time zone')
  return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
}

/** Corrects the case only: Intl calls `Asia/Kolkata` by its former name. */
export function checkTimeZone(name: string, path: string): string {
  try {
    const canonical = toCanonicalZone(name)
    return canonical.toLowerCase() === name.toLowerCase() ? canonical : name
  } catch {
    throw invalid(
      path,
      `${path} must be the IANA name of a time zone, such as Europe/Berlin${itIs(path, name)}.`,
    )
  }
}

export const FIRST_MS = Date.UTC(2000, 0, 1)
export const LAST_MS = Date.UTC(2100, 0, 1)
/** No zone changes its clocks twice in a week. */
const STEP_MS = 7 * 24 * HOUR_MS

const zones = new Map<string, Zone>()

export function openZone(timezone: string): Zone {
  const name = toCanonicalZone(timezone)
  const zone = zones.get(name) ?? new Zone(name)
  zones.set(name, zone)
  return zone
}

type Piece = { fromMs: number; toMs: number; offsetMs: number }

export type { Zone }

class Zone {
  readonly #pieces: readonly Piece[]

  constructor(timezone: string) {
    this.#pieces = findPieces(createOffsetReader(timezone))
  }

  toLocal(ms: number): number {
    return ms + this.#pieceAt(ms).offsetMs
  }

  /** The first instant at which the local clock shows `localMs`, or later where the clocks skip it. */
  fromLocal(localMs: number): number {
    for (const { fromMs, toMs, offsetMs } of this.#pieces) {
      const at = Math.max(fromMs, localMs - offsetMs)
      if (at < toMs) return at
    }
    const last = this.#pieces.at(-1)!
    return localMs - last.offsetMs
  }

  /** Starts of the local hours in between. A clock change by half an hour begins a new hour. */
  hoursBetween(startMs: number, endMs: number): number[] {
    const starts: number[] = []
    for (const { fromMs, toMs, offsetMs } of this.#pieces) {
      const from = Math.max(fromMs, startMs)
      const to = Math.min(toMs, endMs)
      if (from > startMs && from < to && (from + offsetMs) % HOUR_MS !== 0) starts.push(from)
      const first = Math.ceil((from + offsetMs) / HOUR_MS) * HOUR_MS - offsetMs
      for (let at = first; at < to; at += HOUR_MS) if (at > startMs) starts.push(at)
    }
    return starts
  }

  #pieceAt(ms: number): Piece {
    return this.#pieces.find(({ toMs }) => ms < toMs) ?? this.#pieces.at(-1)!
  }
}

function findPieces(offsetAt: (ms: number) => number): Piece[] {
  const pieces: Piece[] = []
  let fromMs = -Infinity
  let offsetMs = offsetAt(FIRST_MS)
  for (let at = FIRST_MS; at < LAST_MS; at += STEP_MS) {
    const nextOffsetMs = offsetAt(at + STEP_MS)
    if (nextOffsetMs === offsetMs) continue
    const toMs = findChange(offsetAt, at, at + STEP_MS)
    pieces.push({ fromMs, toMs, offsetMs })
    fromMs = toMs
    offsetMs = nextOffsetMs
  }
  return [...pieces, { fromMs, toMs: Infinity, offsetMs }]
}

function findChange(offsetAt: (ms: number) => number, fromMs: number, toMs: number): number {
  const after = offsetAt(toMs)
  let before = fromMs
  let at = toMs
  while (at - before > 1) {
    const middle = Math.floor((before + at) / 2)
    if (offsetAt(middle) === after) at = middle
    else before = middle
  }
  return at
}

function createOffsetReader(timezone: string): (ms: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: timezone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  return (ms) => {
    const [month, day, year, hour, minute, second] = format.format(ms).match(/\d+/g)!.map(Number)
    const local = Date.UTC(year!, month! - 1, day, hour, minute, second)
    return local - Math.floor(ms / 1_000) * 1_000
  }
}
