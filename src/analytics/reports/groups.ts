import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { escapeFilter, type ClickQuery } from './input.ts'
import type { ReportFilters } from './schema.ts'

/** Links or clicks that a row of a report counts. */
export type Group = { id: string | null; name: string; links: number; query: Partial<ClickQuery> }

type Row = { id: string; name: string; links: number }

/** The campaigns of a workspace, the newest first; `links` are those that are in one today. */
export async function readCampaigns(
  sql: TenantSql,
  { workspaceId }: Principal,
  { campaignId }: ReportFilters,
): Promise<Group[]> {
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<Row[]>`
      select c.id, c.name, (
        select count(*) from links l
        where l.workspace_id = ${workspaceId} and l.campaign_id = c.id) as links
      from campaigns c
      where c.workspace_id = ${workspaceId}
        ${campaignId === undefined ? tx`` : tx`and c.id = ${campaignId}`}
      order by c.created_at desc, c.id desc`,
  )
  return rows.map((row) => ({ ...row, query: { campaignId: escapeFilter(row.id) } }))
}

/**
 * The shared host and the domains of a workspace by name; `links` are those that are on one today.
 * @param sharedHost its name
 */
export async function readDomains(
  sql: TenantSql,
  { workspaceId }: Principal,
  { domainId }: ReportFilters,
  sharedHost: string,
): Promise<Group[]> {
  const { rows, shared } = await inWorkspace(sql, workspaceId, async (tx) => {
    const own = await tx<Row[]>`
      select d.id, d.hostname as name, (
        select count(*) from links l
        where l.workspace_id = ${workspaceId} and l.domain_id = d.id) as links
      from domains d
      where d.workspace_id = ${workspaceId}
        ${domainId === undefined ? tx`` : tx`and d.id = ${domainId}`}
      order by d.hostname`
    const [counted] = await tx<[{ links: number }]>`
      select count(*) as links from links
      where workspace_id = ${workspaceId} and domain_id is null`
    return { rows: own, shared: counted.links }
  })
  const first = { id: null, name: sharedHost, links: shared, query: { domain: 'default' } }
  return [
    ...(domainId === undefined ? [first] : []),
    ...rows.map((row) => ({ ...row, query: { domainId: escapeFilter(row.id) } })),
  ]
}
