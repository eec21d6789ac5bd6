import { inTransaction, type Tx, type SystemSql } from '../storage/postgres.ts'
import { announceClicks, type AnnouncingDeps } from './announce.ts'
import type { Fault } from './fault.ts'

/** What one segment adds to one link: clicks of people, and when the last of them came. */
export type LinkTally = {
  workspaceId: string
  linkId: string
  clicks: number
  lastMs: number
}

export type Commit = {
  journalId: string
  sequence: number
  /** Where the cursor stood when this segment was taken up. */
  after: number
  tallies: readonly LinkTally[]
  /** The rows, as `encodeRow` made them. */
  lines: () => Iterable<string>
}

/** PostgreSQL's side of a segment: how far each journal has come, and the counters of links. */
export type Ledger = {
  /** Sequence of the last segment that counts; 0 when none does. */
  shippedThrough(journalId: string): Promise<number>
  /**
   * Moves the cursor and adds to the counters, both or neither. `fenced`: the cursor is no longer
   * where it was, so somebody else has shipped this segment, and nothing was changed. Whatever else
   * must happen once for every click belongs into this transaction.
   */
  commit(commit: Commit): Promise<'committed' | 'fenced'>
}

export function createLedger(deps: AnnouncingDeps & { sql: SystemSql; fault?: Fault }): Ledger {
  const { sql, clock, fault } = deps

  return {
    async shippedThrough(journalId) {
      const [row] = await sql<{ sequence: number }[]>`
        select sequence from journal_cursors where journal_id = ${journalId}`
      return row?.sequence ?? 0
    },

    async commit(commit) {
      return inTransaction(sql, async (tx) => {
        if (!(await moveCursor(tx, commit, new Date(clock())))) return 'fenced'
        await fault?.('cursor-moved', `${commit.journalId}-${commit.sequence}`)
        await addClicks(tx, commit.tallies)
        const workspaceIds = [...new Set(commit.tallies.map((tally) => tally.workspaceId))]
        await announceClicks(tx, deps, workspaceIds, commit.lines)
        return 'committed'
      })
    },
  }
}

/** Compare-and-set: of two shippers that hold the same segment, one gets true. */
export async function moveCursor(tx: Tx, commit: Commit, now: Date): Promise<boolean> {
  const { journalId, sequence, after } = commit
  const moved =
    after === 0
      ? await tx`
          insert into journal_cursors (journal_id, sequence, updated_at)
          values (${journalId}, ${sequence}, ${now})
          on conflict (journal_id) do nothing`
      : await tx`
          update journal_cursors set sequence = ${sequence}, updated_at = ${now}
          where journal_id = ${journalId} and sequence = ${after}`
  return moved.count === 1
}

/**
 * Links and workspaces that are gone get nothing, and can't fail the segment: the workspaces that
 * are left are locked against deletion until the commit. Rows are taken in one order everywhere, so
 * that two shippers with the same links wait for each other and never deadlock. JSON, because
 * thousands of array elements would be escaped one by one, in the thread that answers redirects.
 */
export async function addClicks(tx: Tx, tallies: readonly LinkTally[]): Promise<void> {
  if (tallies.length === 0) return
  const workspaceIds = [...new Set(tallies.map((tally) => tally.workspaceId))]
  await tx`
    select id from workspaces where id = any(${workspaceIds}) order by id for key share`
  await tx`
    insert into link_clicks (link_id, workspace_id, clicks, last_clicked_at)
    select links.id, links.workspace_id, tally.clicks, to_timestamp(tally."lastMs" / 1000.0)
    from json_to_recordset(${JSON.stringify(tallies)}::text::json) as tally (
      "workspaceId" text, "linkId" text, clicks bigint, "lastMs" bigint
    )
    join links on links.id = tally."linkId" and links.workspace_id = tally."workspaceId"
    order by links.id
    on conflict (link_id) do update set
      clicks = link_clicks.clicks + excluded.clicks,
      last_clicked_at = greatest(link_clicks.last_clicked_at, excluded.last_clicked_at)`
}
