import { useEffect, useState } from 'react'
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

/** The present time, renewed twice a minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
