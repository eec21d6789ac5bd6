import type { Language } from '../../platform/facts/languages.ts'
import { isWithinLimit } from '../../platform/limits/rate-limits.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { openZone } from '../../platform/resources/zone.ts'
import { isAnswering, type DestinationDeps } from './destination.ts'
import { getLastHourMs, getNextCheckMs, judge, listSameHours, type Judgment } from './judge.ts'
import type { ClicksState, Watch } from './schema.ts'

export type WatchDeps = Pick<Dependencies, 'systemSql' | 'clickhouse' | 'clock' | 'log' | 'mails'> &
  DestinationDeps & {
    /** Mails about alerts to one address. */
    addressLimiter: Limiter
  }

type Due = {
  id: string
  workspaceId: string
  workspaceName: string
  timezone: string
  linkId: string | null
  linkName: string | null
  destinationUrl: string | null
  watches: Watch[]
  recipients: string[]
  clicksState: ClicksState
  destinationState: 'ok' | 'failing'
  destinationFailures: number
  /** When the link was created, or the workspace if the alert has no link. */
  createdAt: Date
}

export type AlertNews = 'high' | 'low' | 'failing' | 'clicksOver' | 'destinationOver'
type Told = { news: AlertNews; count: number; usual: number }

const AT_ONCE = 16
const FAILURES_UNTIL_ALERT = 2
const QUERY_SECONDS = 8

/**
 * Checks each due alert, at most once an hour. An alert is marked as checked before its check, so an interrupted check
 * waits for the next hour.
 */
export async function checkAlerts(deps: WatchDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const due = await takeDue(deps)
    await Promise.all(due.map((alert) => check(deps, alert)))
    if (due.length < AT_ONCE) return
  }
}

function takeDue({ systemSql, clock }: WatchDeps) {
  const nowMs = clock()
  return systemSql<Due[]>`
    with due as (
      select id from alerts where is_active and next_check_at <= ${new Date(nowMs)}
        and exists (select from workspaces s
          where s.id = alerts.workspace_id and s.suspended_at is null)
      order by next_check_at limit ${AT_ONCE} for update skip locked
    )
    update alerts a set next_check_at = ${new Date(getNextCheckMs(nowMs))},
      checked_at = ${new Date(nowMs)}
    from due, workspaces w
    where a.id = due.id and w.id = a.workspace_id
    returning a.id, a.workspace_id, w.name as workspace_name, w.timezone, a.link_id,
      (select l.name from links l where l.id = a.link_id and l.workspace_id = a.workspace_id)
        as link_name,
      (select l.destination_url from links l
        where l.id = a.link_id and l.workspace_id = a.workspace_id and l.status = 'active')
        as destination_url,
      coalesce((select l.created_at from links l
        where l.id = a.link_id and l.workspace_id = a.workspace_id), w.created_at) as created_at,
      a.watches, a.recipients, a.clicks_state, a.destination_state, a.destination_failures`
}

async function check(deps: WatchDeps, alert: Due): Promise<void> {
  const { watches } = alert
  try {
    if (watches.includes('clicks')) await checkClicks(deps, alert)
    if (watches.includes('destination')) await checkDestination(deps, alert)
  } catch (err) {
    deps.log.warn({ err, alertId: alert.id }, 'an alert was not checked')
  }
}

async function checkClicks(deps: WatchDeps, alert: Due): Promise<void> {
  const hourMs = getLastHourMs(deps.clock())
  const sinceMs = alert.createdAt.getTime()
  const sameHours = listSameHours(openZone(alert.timezone), hourMs, sinceMs)
  const counts = await countHours(deps, alert, [hourMs, ...sameHours])
  const count = counts.get(hourMs) ?? 0
  const judgment = judge(
    count,
    sameHours.map((at) => counts.get(at) ?? 0),
  )
  if (!(await saveClicks(deps, alert, hourMs, count, judgment))) return
  const { state, usual } = judgment ?? { state: 'usual', usual: 0 }
  const news = state === 'usual' ? 'clicksOver' : state
  await tell(deps, alert, { news, count, usual })
}

/** @returns whether the state has changed; an hour without a judgment keeps it */
async function saveClicks(
  { systemSql }: WatchDeps,
  { id, workspaceId, clicksState }: Due,
  hourMs: number,
  count: number,
  judgment: Judgment | null,
): Promise<boolean> {
  const state = judgment?.state ?? clicksState
  const isNew = state !== clicksState
  // If the alert changed meanwhile, the change wins.
  const rows = await systemSql`
    update alerts set clicks = ${count}, clicks_usual = ${judgment?.usual ?? null},
      clicks_state = ${state}, clicks_since = ${isNew ? new Date(hourMs) : systemSql`clicks_since`}
    where id = ${id} and workspace_id = ${workspaceId} and is_active
      and 'clicks' = any (watches) and clicks_state = ${clicksState}
    returning id`
  return isNew && rows.length === 1
}

/** Clicks by the start of their hour. */
async function countHours(
  { clickhouse }: WatchDeps,
  { workspaceId, linkId }: Due,
  hours: readonly number[],
): Promise<Map<number, number>> {
  const result = await clickhouse.query({
    // The same hours as in the projection workspace_hours, from which a workspace is read.
    query: `select toUnixTimestamp(toStartOfHour(at)) as hour, count() as clicks from clicks
      where workspace_id = {workspaceId:String} and kind = 'human'
        ${linkId === null ? '' : 'and link_id = {linkId:String}'}
        and toStartOfHour(at) in {hours:Array(DateTime('UTC'))}
      group by toStartOfHour(at)`,
    query_params: {
      ...{ workspaceId, linkId },
      hours: hours.map((ms) => ms / 1_000),
    },
    format: 'JSONEachRow',
    clickhouse_settings: { max_execution_time: QUERY_SECONDS },
  })
  const rows = await result.json<{ hour: number; clicks: string | number }>()
  return new Map(rows.map(({ hour, clicks }) => [hour * 1_000, Number(clicks)]))
}

async function checkDestination(deps: WatchDeps, alert: Due): Promise<void> {
  const { id, workspaceId, destinationUrl, destinationState } = alert
  // Null for a link that does not redirect now: its destination is not asked.
  const isOk = destinationUrl === null ? null : await isAnswering(deps, destinationUrl)
  if (isOk === null) return
  const failures = isOk ? 0 : Math.min(alert.destinationFailures + 1, FAILURES_UNTIL_ALERT)
  const isFailing = isOk ? false : failures >= FAILURES_UNTIL_ALERT
  const state = isFailing ? 'failing' : isOk ? 'ok' : destinationState
  const isNew = state !== destinationState
  const { systemSql, clock } = deps
  const rows = await systemSql`
    update alerts set destination_state = ${state}, destination_failures = ${failures},
      destination_since = ${isNew ? new Date(clock()) : systemSql`destination_since`}
    where id = ${id} and workspace_id = ${workspaceId} and is_active
      and 'destination' = any (watches) and destination_state = ${destinationState}
    returning id`
  if (!isNew || rows.length === 0) return
  await tell(deps, alert, { news: isFailing ? 'failing' : 'destinationOver', count: 0, usual: 0 })
}

type Recipient = { name: string; email: string; emailKey: string; language: Language | null }

/** Mails the recipients who are still members. A mail that a full queue refuses is not sent again. */
async function tell(deps: WatchDeps, alert: Due, told: Told): Promise<void> {
  const { systemSql, addressLimiter, log, mails } = deps
  const { workspaceId, workspaceName, linkName, recipients } = alert
  const members = await systemSql<Recipient[]>`
    select u.name, u.email, u.email_key, u.preferences->>'language' as language
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.suspended_at is null
      and u.email_key = any(${recipients}::text[])
    order by u.email_key`
  for (const { name, email, emailKey, language } of members) {
    if (await isWithinLimit(addressLimiter.consume(emailKey)))
      mails.alert(email, {
        ...{ name, language: language ?? undefined },
        ...{ workspaceId, workspaceName, linkName, ...told },
      })
    else log.warn('a mail about an alert was not sent: the address has had too many today')
  }
}
