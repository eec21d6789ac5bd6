import { sleep } from '../../platform/core/service.ts'
import type { ClickHouseClient } from '../../platform/storage/clickhouse/clickhouse.ts'
import { listDetachedParts } from '../../platform/storage/clickhouse/clickhouse-cluster.ts'
import { inTransaction, type SystemSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { inFolds, isNotFolded, readFolds, type Folds } from '../questions/folds.ts'
import { inRanges, type SegmentRanges } from '../../platform/storage/clickhouse/segment-ranges.ts'

type Deps = { sql: SystemSql; clickhouse: ClickHouseClient }

/** A link whose counter in PostgreSQL is not the number of its human clicks in ClickHouse. */
export type Drift = {
  workspaceId: string
  linkId: string
  counter: number
  clicks: number
  /** `KEPT`: not repaired, because ClickHouse has set parts aside that may have the missing clicks. */
  state: 'DRIFT' | 'REPAIRED' | 'KEPT'
}

export type Recount = {
  links: number
  drifting: Drift[]
  driftingTotal: number
  keptTotal: number
  isRepaired: boolean
}

type Counter = { linkId: string; workspaceId: string; counter: number }

/** Counters of one moment, and the clicks that they count. */
type Snapshot = { counters: Counter[]; committed: SegmentRanges; folds: Folds }

const LINKS_AT_ONCE = 5_000
const MAX_SHOWN = 100
/** Replicas of ClickHouse may have rows later than the one that answered the insert. */
const SETTLE_MS = 1_000
const STATEMENT_SETTINGS = { max_query_size: '64000000' } as const

/**
 * Compares the counter of every link with its clicks, while servers go on counting. The cursor of a journal
 * moves in the transaction that adds to the counters, so one snapshot of PostgreSQL says which segments its
 * counters include; the rows of these segments were in ClickHouse before. A difference counts only if another
 * snapshot has it too. Links that are deleted, or that a purge deletes, have no counter to compare;
 * quarantined clicks are in neither.
 * @param repair adds the difference to each counter, which may change meanwhile
 */
export async function recountLinks(
  deps: Deps,
  { repair = false }: { repair?: boolean } = {},
): Promise<Recount> {
  const result: Recount = {
    links: 0,
    drifting: [],
    driftingTotal: 0,
    keptTotal: 0,
    isRepaired: repair,
  }
  for (let after = ''; ;) {
    const snapshot = await readSnapshot(deps.sql, { after })
    const last = snapshot.counters.at(-1)
    if (!last) return result
    after = last.linkId
    result.links += snapshot.counters.length
    const suspected = await compare(deps, snapshot)
    if (suspected.length === 0) continue
    await sleep(SETTLE_MS)
    const ids = suspected.map(({ linkId }) => linkId)
    const found = repair ? await repairLinks(deps, ids) : await compareAgain(deps, ids)
    result.driftingTotal += found.length
    result.keptTotal += found.filter(({ state }) => state === 'KEPT').length
    result.drifting.push(...found.slice(0, MAX_SHOWN - result.drifting.length))
  }
}

/** One repair at a time, so that no difference is added twice. */
async function repairLinks(deps: Deps, linkIds: readonly string[]): Promise<Drift[]> {
  const isWhole = !(await hasDetachedClicks(deps.clickhouse))
  return inTransaction(deps.sql, async (tx) => {
    await tx`set local idle_in_transaction_session_timeout = 0`
    await tx`select pg_advisory_xact_lock(hashtext('signpost recount'))`
    const drifts = (await compareAgain(deps, linkIds)).map((drift) => ({
      ...drift,
      state: isWhole || drift.clicks > drift.counter ? ('REPAIRED' as const) : ('KEPT' as const),
    }))
    const workspaceIds = [...new Set(drifts.map(({ workspaceId }) => workspaceId))]
    // In the order in which the shipper locks, since it adds to the same counters.
    await tx`select id from workspaces where id = any(${workspaceIds}) order by id for key share`
    const repaired = drifts.filter(({ state }) => state === 'REPAIRED')
    const differences = repaired.map(({ linkId, counter, clicks }) => ({
      linkId,
      difference: clicks - counter,
    }))
    await tx`
      with repaired as (
        insert into link_clicks (link_id, workspace_id, clicks)
        select l.id, l.workspace_id, d.difference
        from json_to_recordset(${JSON.stringify(differences)}::text::json)
          as d ("linkId" text, difference bigint)
        join links l on l.id = d."linkId"
        order by l.id
        on conflict (link_id) do update set clicks = link_clicks.clicks + excluded.clicks
        returning link_id
      )
      insert into link_rank_changes (link_ids)
      select array_agg(link_id) from repaired having count(*) > 0`
    return drifts
  })
}

async function hasDetachedClicks(clickhouse: ClickHouseClient): Promise<boolean> {
  const parts = await listDetachedParts(clickhouse)
  return parts.some(({ table }) => table === 'clicks' || table === 'click_days')
}

async function compareAgain(deps: Deps, linkIds: readonly string[]): Promise<Drift[]> {
  return compare(deps, await readSnapshot(deps.sql, { ids: linkIds }))
}

function readSnapshot(
  sql: SystemSql,
  which: Parameters<typeof readCounters>[1],
): Promise<Snapshot> {
  return inTransaction(sql, async (tx) => {
    await tx`set transaction isolation level repeatable read, read only`
    const cursors = await tx<{ journalId: string; sequence: number }[]>`
      select journal_id, sequence from journal_cursors`
    const ranges = cursors.map(({ journalId, sequence }) => [journalId, [0, sequence]] as const)
    const folds = await readFolds(tx)
    return { counters: await readCounters(tx, which), committed: Object.fromEntries(ranges), folds }
  })
}

/** The next counters after a link, or the counters of some links. */
function readCounters(tx: Tx, which: { after: string } | { ids: readonly string[] }) {
  return tx<Counter[]>`
    select l.id as link_id, l.workspace_id, coalesce(c.clicks, 0) as counter
    from links l left join link_clicks c on c.link_id = l.id
    where ${'ids' in which ? tx`l.id = any(${[...which.ids]})` : tx`l.id > ${which.after}`}
      and not exists (select from purges p where p.id = l.workspace_id)
    order by l.id limit ${LINKS_AT_ONCE}`
}

async function compare({ clickhouse }: Deps, snapshot: Snapshot): Promise<Drift[]> {
  const { counters } = snapshot
  if (counters.length === 0) return []
  const answer = await clickhouse.query({
    query: countSql(snapshot),
    format: 'JSONEachRow',
    clickhouse_settings: STATEMENT_SETTINGS,
  })
  const rows = await answer.json<{ workspaceId: string; linkId: string; clicks: number }>()
  const counted = new Map(rows.map((row) => [`${row.workspaceId} ${row.linkId}`, row.clicks]))
  return counters
    .map(({ workspaceId, linkId, counter }) => {
      const clicks = counted.get(`${workspaceId} ${linkId}`) ?? 0
      return { workspaceId, linkId, counter, clicks, state: 'DRIFT' as const }
    })
    .filter(({ counter, clicks }) => counter !== clicks)
}

/** Ids are part of the statement: parameters travel in the URL, which is too short for them. */
function countSql({ counters, committed, folds }: Snapshot): string {
  const workspaceIds = new Set(counters.map(({ workspaceId }) => toText(workspaceId)))
  const linkIds = counters.map(({ linkId }) => toText(linkId))
  const where = `kind = 'human' and workspace_id in (${[...workspaceIds].join(', ')})
    and link_id in (${linkIds.join(', ')})`
  const isRaw = [inRanges(committed), isNotFolded(folds)].filter((part) => part !== null)
  const raw = `select workspace_id, link_id, count() as c from clicks
    where ${where} and ${isRaw.join(' and ')} group by workspace_id, link_id`
  const days = `select workspace_id, link_id, sum(clicks) as c from click_days
    where ${where} and grp = 'visits' and ${inFolds(folds)} group by workspace_id, link_id`
  return `select workspace_id as workspaceId, link_id as linkId, sum(c) as clicks
    from (${raw} union all ${days}) group by workspace_id, link_id`
}

function toText(id: string): string {
  return `'${id.replaceAll(/[\\']/g, '\\$&')}'`
}
