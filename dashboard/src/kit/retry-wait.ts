import { useEffect, useState } from 'react'
import { ApiError } from '../api/errors.ts'

const TICK_MS = 250

/** Seconds until a request that was refused as too frequent may be repeated; 0: at once. */
export function useRetryWait(error: unknown): number {
  const isLimited = error instanceof ApiError && error.status === 429
  const seconds = isLimited ? (error.retryAfterSeconds ?? 0) : 0
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (seconds === 0) return
    const endMs = Date.now() + seconds * 1_000
    const tick = () => setLeft(Math.max(0, Math.ceil((endMs - Date.now()) / 1_000)))
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => {
      clearInterval(timer)
      setLeft(0)
    }
  }, [error, seconds])
  return left
}
