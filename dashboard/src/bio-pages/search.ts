import { readFigureSearch, type FigureSearch } from '../figures/search.ts'

/** The period and the filters of the figures of a page. Views lead nowhere. */
export type PageFiguresSearch = Omit<FigureSearch, 'compare' | 'destination'>

export function readPageFiguresSearch(search: Record<string, unknown>): PageFiguresSearch {
  const { compare: _compare, destination: _destination, ...shown } = readFigureSearch(search)
  return shown
}
