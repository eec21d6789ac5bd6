import type { NamedClick } from '../../platform/facts/sp-id.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { namedClickSql } from '../named-clicks.ts'

/** Columns of `clicks` that a conversion takes over, beside its link and time. */
export const LABEL_COLUMNS = [
  ...(['country', 'region', 'city', 'continent', 'device', 'browser', 'os', 'referrer'] as const),
  ...(['language', 'trigger', 'destination', 'route', 'domain_id'] as const),
  ...(['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const),
] as const
export type Labels = Readonly<Record<(typeof LABEL_COLUMNS)[number], string>>

/** A click as it is stored. */
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

/**
 * Finds clicks of a workspace. Those whose link is known are found by the primary key; the others cost a read of
 * the times of all its clicks in those months.
 */
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
