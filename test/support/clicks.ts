import { ulid } from '../../src/platform/core/ids.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { insertRows } from './click-rows.ts'

/** A row of `clicks`; fields that are left out are those of a plain click. */
export type StoredClick = {
  workspaceId: string
  linkId: string
  atMs: number
  kind?: string
  visitor?: bigint
} & Record<string, unknown>

/** Stores clicks in the table itself. Columns are named as there, such as `utm_source`. */
export async function storeClicks(
  clickhouse: ClickHouseClient,
  clicks: readonly StoredClick[],
): Promise<void> {
  const values = clicks.map(
    ({ workspaceId, linkId, atMs, kind = 'human', visitor = 1n, ...labels }) => ({
      workspace_id: workspaceId,
      link_id: linkId,
      click_id: ulid(atMs),
      at: new Date(atMs).toISOString().replace('T', ' ').replace('Z', ''),
      segment: 'test-1',
      kind,
      visitor: String(visitor),
      host: 'sho.rt',
      slug: 'abc',
      country: 'DE',
      device: 'mobile',
      trigger: 'link',
      ...labels,
    }),
  )
  await insertRows(clickhouse, 'clicks', values)
}
