import { useEffect, useState } from 'react'

/** A value once it has not changed for a while; values with the same JSON are the same. */
export function useSettled<T>(value: T, waitMs: number): T {
  const [settled, setSettled] = useState(value)
  const now = JSON.stringify(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(JSON.parse(now) as T), waitMs)
    return () => clearTimeout(timer)
  }, [now, waitMs])
  return settled
}
