import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { COUNTED_ROWS } from '../../platform/resources/paging.ts'

/** Ids of the links with a term in name, slug or destination; null for more than {@link COUNTED_ROWS}. */
export type Found = { term: string; ids: string[] | null }

/** Looks up the term in the workspace's index (migrations/postgres/0007_links.sql). */
export async function findLinks(tx: Tx, term: string): Promise<Found> {
  const rows = await tx<{ id: string }[]>`
    select id from matching_links(${term}, ${COUNTED_ROWS + 1}) as found (id)`
  return { term, ids: rows.length > COUNTED_ROWS ? null : rows.map(({ id }) => id) }
}

/**
 * The search as a condition over `links l`. A term with more than 10,000 matches is compared row by
 * row in the order of the list, which soon fills a page.
 */
export function isFound(tx: Tx, { term, ids }: Found) {
  return ids === null
    ? tx`l.search_text ~ ('***=' || search_form(${term}))`
    : tx`l.id = any(${ids})`
}
