import type { Context } from '../api.ts'
import { textOf } from '../fields.ts'
import { invalidData } from './problem.ts'

const MAX_ITEMS = 100

export type Page = { number: number; slice: { limit: number; offset: number } }

/** -1 items are all, of which this server sends the first hundred. */
export function readPage(query: Context['query'], defaultItems = MAX_ITEMS): Page {
  const number = readCount(query, 'page', 1)
  const items = textOf(query, 'itemsPerPage') === '-1' ? MAX_ITEMS : undefined
  const limit = Math.min(items ?? readCount(query, 'itemsPerPage', defaultItems), MAX_ITEMS)
  return { number, slice: { limit, offset: (number - 1) * limit } }
}

function readCount(query: Context['query'], name: string, missing: number): number {
  const text = textOf(query, name)
  if (text === undefined) return missing
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidData(`${name} must be a number above 0.`, name)
  return Number(text)
}

export function listOfPage<Item>(data: readonly Item[], { number, slice }: Page, total: number) {
  return {
    data,
    pagination: {
      currentPage: number,
      pagesCount: Math.max(Math.ceil(total / slice.limit), 1),
      itemsPerPage: slice.limit,
      itemsInCurrentPage: data.length,
      totalItems: total,
    },
  }
}
