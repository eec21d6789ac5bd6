import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import type { Reply } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { SharedStatistics, SharedQuery } from '../answers/summary.ts'
import { createDashboardPasswords, passwordRequired } from './guesses.ts'
import { RecentAnswers } from './recent.ts'
import { toScope } from './targets.ts'
import type { PublicDashboard } from './visit-schema.ts'
import type { Visited, VisitedDashboards } from './visited.ts'

type Deps = Pick<Dependencies, 'secrets' | 'limiter' | 'clock'> & {
  visited: VisitedDashboards
  countShared: (principal: Principal, query: SharedQuery) => Promise<SharedStatistics>
}

export type DashboardVisits = ReturnType<typeof createDashboardVisits>

const ACTOR = 'public-dashboard'
/** The API's path of a dashboard, to which its cookie belongs. */
const API_PATH = '/v1/public/dashboards/'
/** Replaces the header that the gateway sets on answers of the route. */
const LISTED = { 'x-robots-tag': 'all' }
const MIN_KEPT_MS = 1_000
const MAX_KEPT_MS = 60_000
/** Visitors of a dashboard keep the database busy for a tenth of the time at most. */
const KEPT_PER_MS = 9
const MAX_KEPT = 200

/**
 * Answers visitors of shared dashboards. Their number does not change what they cost: a token is looked up once a
 * second, equal questions are counted once, and a workspace has one count at a time.
 */
export function createDashboardVisits({ visited, countShared, ...deps }: Deps) {
  const passwords = createDashboardPasswords(deps)
  const counts = new RecentAnswers<SharedStatistics>({
    maxEntries: MAX_KEPT,
    toKeptMs: (durationMs) =>
      Math.min(Math.max(MIN_KEPT_MS, durationMs * KEPT_PER_MS), MAX_KEPT_MS),
  })
  const queue = new FairQueue(PLACES.sharedDashboards)

  /**
   * @throws ApiError NOT_FOUND for a token that opens nothing; PASSWORD_REQUIRED; RATE_LIMITED for too many guesses or
   *   visitors
   */
  async function read(
    caller: Caller,
    token: string,
    password: string | undefined,
  ): Promise<Reply<PublicDashboard>> {
    const network = networkOf(caller.ip ?? '')
    const found = await visited.find(token, network)
    if (!found) throw notFound()
    const cookies = await unlock(caller, found, network, { token, password })
    const data = toPublicDashboard(found, await count(found))
    return { data, cookies, ...(found.doIndex && { headers: LISTED }) }
  }

  /** The cookie for a visitor who sent the password with this request. */
  async function unlock(
    caller: Caller,
    { id, workspaceId, passwordHash }: Visited,
    network: string,
    { token, password }: { token: string; password: string | undefined },
  ): Promise<Cookie[]> {
    if (passwordHash === null) return []
    const locked = { id, workspaceId, passwordHash }
    if (password) {
      await passwords.check(locked, network, decodeHeader(password))
      return [passwords.toCookie(locked, API_PATH + token)]
    }
    if (!passwords.hasProof(locked, caller)) throw passwordRequired('missing')
    return []
  }

  /** Dashboards that show the same share a count. It continues when a visitor leaves: others may wait for it. */
  function count({ workspaceId, timezone, days, currency, linkId, campaignId, folderId }: Visited) {
    const query: SharedQuery = {
      days,
      timezone,
      currency,
      ...(linkId !== null && { linkId }),
      ...(campaignId !== null && { campaignId }),
      ...(folderId !== null && { folderId }),
    }
    return counts.ask(JSON.stringify([workspaceId, query]), () =>
      queue.run([workspaceId], undefined, () =>
        countShared(systemActing(workspaceId, ACTOR, { userId: `${ACTOR}:${workspaceId}` }), query),
      ),
    )
  }

  /** What the page says before it is opened; null for a token that opens nothing. */
  async function preview(token: string, address: string) {
    const found = await visited.find(token, networkOf(address))
    if (!found) return null
    const { title, passwordHash, doIndex } = found
    return { title: passwordHash === null ? title : null, isListed: doIndex }
  }

  return { read, preview }
}

/** Header values arrive with one character for each byte; clients send UTF-8. */
function decodeHeader(value: string): string {
  return Buffer.from(value, 'latin1').toString('utf8')
}

function notFound(): ApiError {
  return new ApiError('NOT_FOUND', 'This dashboard does not exist, or is no longer shared.')
}

type Counts = { clicks: number; uniqueVisitors: number; conversions: number; value: number }

/** Names, short URLs and numbers of what the dashboard shares, and nothing else. */
function toPublicDashboard(shown: Visited, counted: SharedStatistics): PublicDashboard {
  const { totals, period } = counted
  const withoutHidden = ({ conversions, value }: Pick<Counts, 'conversions' | 'value'>) =>
    shown.showConversions ? { conversions, value } : {}
  const toVisits = (counts: Counts) => ({
    clicks: counts.clicks,
    uniqueVisitors: counts.uniqueVisitors,
    ...withoutHidden(counts),
  })
  return {
    title: shown.title,
    scope: toScope(shown),
    period: {
      start: period.start,
      end: period.end,
      days: shown.days,
      timezone: counted.timezone,
      granularity: counted.granularity,
    },
    metrics: {
      totalClicks: counted.totalClicks,
      periodClicks: totals.clicks,
      periodChangePercent: counted.clicksChangePercent,
      totalImportedClicks: counted.totalImportedClicks,
      uniqueVisitors: totals.uniqueVisitors,
      uniqueVisitorsChangePercent: counted.visitorsChangePercent,
      hasEarlierPeriod: counted.hasEarlierPeriod,
      ...withoutHidden(totals),
      ...(shown.showConversions && { currency: shown.currency }),
      approximate: counted.approximate,
    },
    timeseries: counted.series.map(({ start, ...counts }) => ({ start, ...toVisits(counts) })),
    breakdowns: counted.breakdowns,
    topLinks: counted.topLinks.flatMap(({ link: { name, shortUrl }, ...counts }) =>
      // A link that was deleted has neither.
      name === null || shortUrl === null ? [] : [{ name, shortUrl, ...toVisits(counts) }],
    ),
    updatedAt: counted.asOf,
  }
}
