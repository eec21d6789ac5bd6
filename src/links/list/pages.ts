import type { Clock } from '../../platform/core/clock.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { columnsOf, toLink, withCounters, type LinkRow } from '../link/rows.ts'
import type { Link } from '../link/schema.ts'
import type { ShortHost } from '../link/dependencies.ts'

type Deps = { sql: TenantSql; clock: Clock; shortHost: () => Pick<ShortHost, 'origin' | 'domain'> }

type Filters = {
  linkIds?: readonly string[]
  campaignId?: string
  domainId?: string
}
/** `done` is the share of links read so far, from 0 to 1. */
type LinkPage = { links: Link[]; done: number }

const PAGE_LINKS = 500

export type Position = { createdAt: string; id: string }

/** Each page is its own transaction, so that no reader holds a connection. */
export function createLinkPages({ sql, clock, shortHost }: Deps) {
  async function* read(principal: Principal, filters: Filters): AsyncGenerator<LinkPage> {
    const { workspaceId } = principal
    const now = new Date(clock())
    const total = await inWorkspace(sql, workspaceId, (tx) => countLinks(tx, principal, filters))
    let count = 0
    let after: Position | null = null
    for (;;) {
      const from: Position | null = after
      const rows: (LinkRow & { place: string })[] = await inWorkspace(
        sql,
        workspaceId,
        (tx) => tx<(LinkRow & { place: string })[]>`
          select ${columnsOf(tx)}, l.created_at::text as place
          from links l ${withCounters(tx)}
          where l.workspace_id = ${workspaceId} ${isAfter(tx, now, from)} ${meets(tx, filters)}
          order by l.created_at desc, l.id desc limit ${PAGE_LINKS}`,
      )
      const last = rows.at(-1)
      if (!last) return
      count += rows.length
      after = { createdAt: last.place, id: last.id }
      const host = shortHost()
      const links = rows.map((row) => toLink(row, host, now.getTime()))
      yield { links, done: Math.min(1, count / total) }
    }
  }
  return { read }
}

/** Leaves out links that were created after the first page was read at `now`. */
export function isAfter(tx: Tx, now: Date, after: Position | null) {
  return after
    ? tx`and (l.created_at, l.id) < (${after.createdAt}::text::timestamptz, ${after.id})`
    : tx`and l.created_at <= ${now}`
}

async function countLinks(tx: Tx, { workspaceId }: Principal, filters: Filters): Promise<number> {
  const [row] = await tx<[{ count: number }]>`
    select count(*) from links l where l.workspace_id = ${workspaceId} ${meets(tx, filters)}`
  return row.count
}

function meets(tx: Tx, { linkIds, campaignId, domainId }: Filters) {
  return tx`
    ${linkIds === undefined ? tx`` : tx`and l.id = any(${[...linkIds]}::text[])`}
    ${campaignId === undefined ? tx`` : tx`and l.campaign_id = ${campaignId}`}
    ${domainId === undefined ? tx`` : tx`and l.domain_id = ${domainId}`}`
}
