import { readFigureSearch, type FigureSearch } from '../figures/search.ts'

const TYPES = ['lead', 'sale', 'custom'] as const

/** The period and the type of the conversions that the page shows. */
export type ConversionsSearch = Pick<FigureSearch, 'period' | 'start' | 'end' | 'zone'> & {
  type?: (typeof TYPES)[number] | undefined
}

export function readConversionsSearch(search: Record<string, unknown>): ConversionsSearch {
  const { period, start, end, zone } = readFigureSearch(search)
  const type = TYPES.find((each) => each === search.type)
  return {
    ...(period && { period }),
    ...(start && end && { start, end }),
    ...(zone && { zone }),
    ...(type && { type }),
  }
}
