import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { hashToken } from '../../platform/core/secrets.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { RecentAnswers } from './recent.ts'
import type { DashboardRow } from './row.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'plans'>

/** A dashboard that visitors may see, with facts of its workspace. */
export type Visited = Omit<
  DashboardRow,
  'tokenHash' | 'tokenSealed' | 'revokedAt' | 'createdAt' | 'updatedAt'
> & { timezone: string }

/** The time after which a change by another process takes effect here. */
const KEPT_MS = 1_000
const MAX_KEPT = 10_000
export type VisitedDashboards = ReturnType<typeof createVisitedDashboards>

/** Dashboards by the token of a visitor. */
export function createVisitedDashboards({ systemSql, plans }: Deps) {
  const recent = new RecentAnswers<Visited | null>({
    maxEntries: MAX_KEPT,
    toKeptMs: () => KEPT_MS,
  })
  const queue = new FairQueue(PLACES.sharedTokens)
  const planIds = plans.all
    .filter(({ capabilities }) => capabilities.public_dashboards)
    .map(({ id }) => id)

  /**
   * One statement decides, so that an unknown token takes as long as one whose dashboard may not be shown.
   * @returns null when visitors see nothing, for whatever reason
   * @throws ApiError RATE_LIMITED when too many look-ups wait
   */
  async function find(token: string, network: string): Promise<Visited | null> {
    const tokenHash = hashToken(token)
    const key = toKey(tokenHash)
    // Each network waits, or is refused, by itself; visitors share only look-ups that have begun.
    const known = recent.known(key)
    if (known) return known
    return queue.run([network], undefined, () => recent.ask(key, () => select(tokenHash)))
  }

  async function select(tokenHash: Uint8Array): Promise<Visited | null> {
    const [row] = await systemSql<Visited[]>`
      select d.id, d.workspace_id, d.title, d.link_id, d.campaign_id, d.folder_id, d.days,
        d.password_hash, d.show_conversions, d.currency, d.do_index, w.timezone
      from dashboards d join workspaces w on w.id = d.workspace_id
      where d.token_hash = ${tokenHash} and d.revoked_at is null
        and w.suspended_at is null and w.plan = any(${planIds}::text[])
        and (d.link_id is null or exists (
          select from links l where l.id = d.link_id and l.workspace_id = d.workspace_id))
        and (d.campaign_id is null or exists (
          select from campaigns c where c.id = d.campaign_id and c.workspace_id = d.workspace_id))
        and (d.folder_id is null or exists (
          select from folders f where f.id = d.folder_id and f.workspace_id = d.workspace_id))`
    return row ?? null
  }

  /** After a change in this process. */
  function forget(tokenHash: Uint8Array): void {
    recent.drop(toKey(tokenHash))
  }

  return { find, forget }
}

function toKey(tokenHash: Uint8Array): string {
  return Buffer.from(tokenHash).toString('base64')
}
