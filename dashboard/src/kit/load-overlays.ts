import { useEffect, useState } from 'react'
import { textsLoaded } from '../text/load.ts'
import { text } from '../text/shared.ts'
import type * as OverlaysModule from './overlays.tsx'
import { showToast } from './toast.ts'

type Overlays = typeof OverlaysModule

/** After the first paint, also where browsers have no idle callback. */
const IDLE_MS = 1_000

let loaded: Overlays | null = null
let loading: Promise<Overlays> | null = null

async function importOverlays(): Promise<Overlays> {
  const overlays = await import('./overlays.tsx')
  await textsLoaded()
  loaded = overlays
  return overlays
}

function load(): Promise<Overlays> {
  loading ??= importOverlays()
  // The next attempt asks the server again.
  loading.catch(() => (loading = null))
  return loading
}

/**
 * The overlays, once they are wanted and there; all pages load them when they have nothing else to do.
 * @param wanted how often they were asked for; each time, a load that failed is tried again
 */
export function useOverlays(wanted: number): Overlays | null {
  // As of the first rendering, so that a button is not replaced while it is pressed.
  const [overlays, setOverlays] = useState(loaded)
  useEffect(() => {
    if (overlays) return
    if (wanted > 0)
      load().then(
        (now) => setOverlays(now),
        () => showToast(text.errors.notLoaded, { isError: true }),
      )
    const timer = setTimeout(() => void load().catch(() => {}), IDLE_MS)
    return () => clearTimeout(timer)
  }, [wanted, overlays])
  return overlays
}
