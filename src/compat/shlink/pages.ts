import type { Context } from '../api.ts'
import { textOf } from '../fields.ts'

const MAX_ITEMS = 100

type Page = { number: number; slice: { limit: number; offset: number } }

/** -1 asks for all items; this server sends the first hundred. `/v1` refuses other values that are not above 0. */
export function readPage(query: Context['query'], defaultItems = MAX_ITEMS): Page {
  const number = Number(textOf(query, 'page') ?? 1)
  const items = Number(textOf(query, 'itemsPerPage') ?? defaultItems)
  const limit = items === -1 ? MAX_ITEMS : Math.min(items, MAX_ITEMS)
  return { number, slice: { limit, offset: (number - 1) * limit } }
}

export function toPage<Item>(data: readonly Item[], total: number, { number, slice }: Page) {
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
