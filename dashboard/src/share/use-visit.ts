import { useCallback, useEffect, useRef, useState } from 'react'
import { visitDashboard, type SharedDashboard, type Visit } from '../api/visit.ts'

/** The server counts once a second at most, so that visitors who look on cost little. */
const REFRESH_MS = 15_000
const RETRY_MS = 5_000

type Shown = {
  visit: Visit | null
  /** The last numbers, which stay while the server does not answer. */
  data: SharedDashboard | null
  open: (password: string | null) => Promise<Visit>
}

/** A shared dashboard that stays up to date while its tab is visible. */
export function useVisit(token: string, isGone: boolean): Shown {
  const [visit, setVisit] = useState<Visit | null>(isGone ? { kind: 'gone' } : null)
  const [data, setData] = useState<SharedDashboard | null>(null)
  const latest = useRef(0)
  const open = useCallback(
    async (password: string | null) => {
      const turn = ++latest.current
      const found = await visitDashboard(token, password)
      // The answer of a later request wins.
      if (turn !== latest.current) return found
      setVisit(found)
      if (found.kind === 'shown') setData(found.data)
      return found
    },
    [token],
  )
  const kind = visit?.kind ?? null
  const retryAfter = visit?.kind === 'failed' ? visit.retryAfter : null
  useEffect(() => {
    if (kind !== null) return
    const timer = setTimeout(() => void open(null))
    return () => clearTimeout(timer)
  }, [kind, open])
  useEffect(() => {
    if (kind !== 'shown' && kind !== 'failed') return
    const waitMs = kind === 'shown' ? REFRESH_MS : Math.max(RETRY_MS, (retryAfter ?? 0) * 1_000)
    const refresh = () => {
      if (document.visibilityState === 'visible') void open(null)
    }
    const timer = setInterval(refresh, waitMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [kind, retryAfter, open])
  return { visit, data, open }
}
