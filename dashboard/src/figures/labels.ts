import { formatCountry, formatLanguage } from '../kit/format.ts'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/figures.ts'
import { ownText } from './own-text.ts'
import type { Dimension } from './search.ts'

/** A label as the user reads it: the name of a country, a word for an unknown value. */
export function nameOf(dimension: Dimension, label: string): string {
  if (label === '' || label === 'unknown') return text.figures.unknown
  if (dimension === 'country') return formatCountry(label)
  if (dimension === 'language') return formatLanguage(label)
  if (dimension === 'destination') return withoutScheme(label)
  return ownText(text.figures.labels, label)
}
