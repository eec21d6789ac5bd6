import { formatNumber } from '../kit/locale.ts'

/** "1 link", "2 links". */
export const plural = (count: number, one: string, other: string): string =>
  `${formatNumber(count)} ${new Intl.PluralRules('en').select(count) === 'one' ? one : other}`
