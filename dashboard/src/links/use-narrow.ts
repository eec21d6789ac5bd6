import { useSyncExternalStore } from 'react'

const query = matchMedia('(max-width: 767px)')

/** Whether the page is laid out for a phone. */
export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
    () => query.matches,
  )
}
