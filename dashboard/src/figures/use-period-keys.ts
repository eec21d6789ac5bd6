import { useEffect } from 'react'
import { areKeysOn, isTyping } from '../kit/keys.ts'
import type { FigureSearch, Period } from './search.ts'

const PERIOD_KEYS: Record<string, Period> = { d: '24h', w: '7d', m: '30d', y: '1y' }
/** A key after G goes to a page. */
const SEQUENCE_MS = 1_500

let wentAt = -SEQUENCE_MS

/** D, W, M and Y choose a period, P compares with the time before. */
export function usePeriodKeys(
  { compare }: FigureSearch,
  onChange: (change: Partial<FigureSearch>) => void,
  /** On the page of a link Y copies its address. */
  isOfLink: boolean,
): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!areKeysOn() || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
      const key = event.key.toLowerCase()
      const isSequence = event.timeStamp - wentAt < SEQUENCE_MS
      wentAt = key === 'g' ? event.timeStamp : -SEQUENCE_MS
      if (isSequence || event.shiftKey) return
      const period = PERIOD_KEYS[key]
      if (period && !(key === 'y' && isOfLink))
        onChange({ period, start: undefined, end: undefined })
      if (key === 'p') onChange({ compare: compare === 'none' ? undefined : 'none' })
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [compare, isOfLink, onChange])
}
