import { requireLinkId } from '../../analytics/questions/scope.ts'
import { instant } from '../../analytics/questions/span.ts'
import { isUlid, timeOfUlid } from '../../platform/core/ids.ts'
import type { NamedClick } from '../../platform/facts/click-identity.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'

export const LABEL_COLUMNS = [
  ...(['country', 'region', 'city', 'continent', 'device', 'browser', 'os', 'referrer'] as const),
  ...(['language', 'trigger', 'destination', 'route', 'domain_id'] as const),
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
] as const
export type Labels = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>

export type FoundClick = {
  clickId: string
  linkId: string
  slug: string
  clickedAt: Date
  labels: Labels
}

type Row = { click_id: string; link_id: string; slug: string; at_ms: number } & Labels

const STATEMENT_SECONDS = 3
const MAX_QUERY_BYTES = 4 * 1024 * 1024

export async function findClicks(
  clickhouse: ClickHouseClient,
  workspaceId: string,
  clicks: readonly NamedClick[],
  signal?: AbortSignal,
): Promise<FoundClick[]> {
  if (clicks.length === 0) return []
  const answer = await clickhouse.query({
    query: `
      select click_id, link_id, slug, toUnixTimestamp64Milli(at) as at_ms, ${LABEL_COLUMNS.join(', ')}
      from clicks
      where workspace_id = {workspaceId:String} and kind in ('human', 'bot', 'preview', 'prefetch') and (${clicks.map(namedClickSql).join(' or ')})
      limit 1 by click_id`,
    query_params: { workspaceId },
    format: 'JSONEachRow',
    clickhouse_settings: {
      max_execution_time: STATEMENT_SECONDS,
      max_query_size: String(MAX_QUERY_BYTES),
    },
    ...(signal && { abort_signal: signal }),
  })
  return (await answer.json<Row>()).map(toFound)
}

function toFound({ click_id, link_id, slug, at_ms, ...labels }: Row): FoundClick {
  return { clickId: click_id, linkId: link_id, slug, clickedAt: new Date(at_ms), labels }
}

/** The id of a click is made first; until its time is set, a redirect may wait for databases and passwords. */
const ID_BEFORE_CLICK_MS = 60_000

/** Ids are part of the statement: many of them do not fit into a URL. */
export function namedClickSql({ clickId, linkId }: NamedClick): string {
  if (!isUlid(clickId)) throw new Error('this is not the id of a click')
  if (linkId !== null) requireLinkId(linkId)
  const atMs = timeOfUlid(clickId)
  const times = `at >= ${instant(atMs)} and at < ${instant(atMs + ID_BEFORE_CLICK_MS)}`
  const ofLink = linkId === null ? '' : `link_id = '${linkId}' and `
  return `(${ofLink}${times} and click_id = '${clickId}')`
}
