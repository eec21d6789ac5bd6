import type { Tx } from '../../storage/postgres.ts'
import { COUNTED_ROWS } from '../paging.ts'

/**
 * Which links hold a term in their name, slug or destination: the ids of all of them, or null for
 * more than {@link COUNTED_ROWS}.
 */
export type Found = { term: string; ids: string[] | null }

/** Looks the term up in the index of the workspace's links (migrations/postgres/0018_link_search.sql). */
export async function findLinks(tx: Tx, term: string): Promise<Found> {
  const rows = await tx<{ id: string }[]>`
    select id from matching_links(${term}, ${COUNTED_ROWS + 1}) as found (id)`
  return { term, ids: rows.length > COUNTED_ROWS ? null : rows.map(({ id }) => id) }
}

/**
 * The search as a condition over `links l`. A term that more than 10,000 links hold is looked for in
 * the order of the list, where a page of matches is soon full.
 */
export function isFound(tx: Tx, { term, ids }: Found) {
  return ids === null
    ? tx`l.search_text ~ ('***=' || search_form(${term}))`
    : tx`l.id = any(${ids})`
}
