import { readFigureSearch, type FigureSearch } from '../figures/search.ts'

/** `new` opens the drawer for a new page. */
export type BioPagesSearch = { new?: true | undefined }

export function readBioPagesSearch(search: Record<string, unknown>): BioPagesSearch {
  return search.new === true ? { new: true } : {}
}

/** The period and the filters of the figures of a page. Views lead nowhere. */
export type PageFiguresSearch = Omit<FigureSearch, 'compare' | 'destination'>

export function readPageFiguresSearch(search: Record<string, unknown>): PageFiguresSearch {
  const { compare: _compare, destination: _destination, ...shown } = readFigureSearch(search)
  return shown
}
