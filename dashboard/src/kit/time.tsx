import { useEffect, useState } from 'react'
import { formatClock, formatDateTime, formatDay, formatRelative } from './format.ts'

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

/** A line of a log: the clock of today, of other days the day as well. */
export function LogTime({ at }: { at: string }) {
  const now = useNow()
  const day = formatDay(at)
  const isToday = day === formatDay(new Date(now).toISOString())
  return (
    <time dateTime={at} title={formatDateTime(at)}>
      {isToday ? formatClock(at) : `${day}, ${formatClock(at)}`}
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
