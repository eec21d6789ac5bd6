import { useSyncExternalStore } from 'react'
import { formatClock, formatDateTime, formatDay, formatRelative, formatShort } from './format.ts'

const REFRESH_MS = 30_000

/** "2 min. ago", with the exact time on hover and for assistive technology. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow()
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatRelative(at, now)}
    </time>
  )
}

export function ExactTime({ at }: { at: string }) {
  return <time dateTime={at}>{formatDateTime(at)}</time>
}

/** A line of a log: the clock of today; of other days the day, and the year if it is another. */
export function LogTime({ at }: { at: string }) {
  const now = useNow()
  const isToday = formatDay(at) === formatDay(new Date(now).toISOString())
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {isToday ? formatClock(at) : formatShort(at, now)}
    </time>
  )
}

let nowMs = Date.now()
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** One timer for all times on the page: a list has many. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    nowMs = Date.now()
    for (const each of listeners) each()
  }, REFRESH_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

/** The present time, renewed twice a minute. */
function useNow(): number {
  return useSyncExternalStore(subscribe, readNow)
}

/** Equal for all times of a frame, also before the timer runs. */
function readNow(): number {
  if (timer === undefined && Date.now() - nowMs >= REFRESH_MS) nowMs = Date.now()
  return nowMs
}
