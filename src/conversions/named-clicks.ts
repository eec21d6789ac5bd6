import { isUlid, timeOfUlid } from '../platform/core/ids.ts'
import type { NamedClick } from '../platform/facts/sp-id.ts'

/** Between the id of a click, which is made first, and its time, a redirect may wait for databases and passwords. */
const ID_BEFORE_CLICK_MS = 60_000
const LINK_ID = /^[A-Za-z0-9_-]{1,64}$/

/**
 * The condition on `clicks` that selects a click by its id. With its link it is found by the primary key; without, the times
 * of the workspace's clicks of that minute are read. Ids stand in the statement itself: many of them do not fit into a URL.
 */
export function namedClickSql({ clickId, linkId }: NamedClick): string {
  if (!isUlid(clickId)) throw new Error('this is not the id of a click')
  if (linkId !== null && !LINK_ID.test(linkId)) throw new Error('this is not the id of a link')
  const atMs = timeOfUlid(clickId)
  const times = `at >= ${toInstant(atMs)} and at < ${toInstant(atMs + ID_BEFORE_CLICK_MS)}`
  const ofLink = linkId === null ? '' : `link_id = '${linkId}' and `
  return `(${ofLink}${times} and click_id = '${clickId}')`
}

function toInstant(ms: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${ms}), 'UTC')`
}
