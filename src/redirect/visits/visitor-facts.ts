import type { Clock } from '../../platform/core/clock.ts'
import { memoize } from '../../platform/core/memo.ts'
import { classifyAgent } from '../../platform/facts/bots.ts'
import type { Place } from '../../platform/facts/geo-fields.ts'
import { createDevices } from '../../platform/facts/device.ts'
import { languageLabel } from '../../platform/facts/language.ts'

export type VisitorFacts = ReturnType<typeof createVisitorFacts>

const CACHED_ADDRESSES = 32_768
const CACHED_TEXTS = 8_192
/** The geo database may be replaced while the process runs. */
const PLACES_LIFE_MS = 600_000

/** Labels of visitors as the analytics have them, cached by address, user agent and language. */
export function createVisitorFacts(locate: (ip: string) => Place, clock: Clock) {
  let locateCached = memoize(CACHED_ADDRESSES, locate)
  let cachedSinceMs = clock()
  return {
    locate(address: string): Place {
      const ageMs = clock() - cachedSinceMs
      if (ageMs >= PLACES_LIFE_MS || ageMs < 0) {
        locateCached = memoize(CACHED_ADDRESSES, locate)
        cachedSinceMs = clock()
      }
      return locateCached(address)
    },
    classifyAgent: memoize(CACHED_TEXTS, classifyAgent),
    readDevice: createDevices(CACHED_TEXTS),
    languageLabel: memoize(CACHED_TEXTS, languageLabel),
  }
}
