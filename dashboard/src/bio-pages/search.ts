import { readFigureSearch, type FigureSearch } from '../figures/search.ts'
import { readNewSearch, type NewSearch } from '../kit/list-search.ts'

/** The period and the filters of the figures of a page. Views lead nowhere. */
export type PageFiguresSearch = Omit<FigureSearch, 'compare' | 'destination'>

export function readPageFiguresSearch(search: Record<string, unknown>): PageFiguresSearch {
  const { compare: _compare, destination: _destination, ...shown } = readFigureSearch(search)
  return shown
}

/** `importId`: the links of this import become the blocks of the new page. */
export type BioPagesSearch = NewSearch & { importId?: string | undefined }

export function readBioPagesSearch(search: Record<string, unknown>): BioPagesSearch {
  const { importId } = search
  return { ...readNewSearch(search), ...(typeof importId === 'string' ? { importId } : {}) }
}
