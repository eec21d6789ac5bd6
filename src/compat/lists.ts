import type { Call } from './call.ts'

const PAGE = 100
const MAX_PAGES = 10

/** The first thousand of a list, for clients that know no pages. */
export async function listAll<Item>(
  call: Call,
  path: `/${string}`,
  query: Readonly<Record<string, string | boolean>> = {},
): Promise<Item[]> {
  const items: Item[] = []
  for (let page = 0; page < MAX_PAGES; page++) {
    const { data, meta } = await call<Item[]>('GET', path, {
      query: { ...query, limit: PAGE, offset: page * PAGE },
    })
    items.push(...data)
    if (data.length < PAGE || items.length >= meta.total) break
  }
  return items
}
