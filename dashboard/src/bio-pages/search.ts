import { readFigureSearch, type FigureSearch } from '../figures/search.ts'

/** `new` opens the drawer for a new page. */
export type BioPagesSearch = { new?: true | undefined }

export function readBioPagesSearch(search: Record<string, unknown>): BioPagesSearch {
  return search.new === true ? { new: true } : {}
}

/** The period of the figures of a page. */
export type PageFiguresSearch = Pick<FigureSearch, 'period' | 'start' | 'end' | 'zone'>

export function readPageFiguresSearch(search: Record<string, unknown>): PageFiguresSearch {
  const { period, start, end, zone } = readFigureSearch(search)
  return {
    ...(period && { period }),
    ...(start && end && { start, end }),
    ...(zone && { zone }),
  }
}
