import { Counter, Gauge, type Registry } from 'prom-client'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/core/clock.ts'
import type { Language } from '../../platform/facts/languages.ts'
import type { Log } from '../../platform/core/log.ts'
import type { Mails } from '../../platform/mail/mails.ts'
import {
  inTransaction,
  type Fragment,
  type Tx,
  type SystemSql,
} from '../../platform/storage/postgres/postgres.ts'

const FAILING_AFTER = 5
const MAX_MAILS_PER_HOUR = 10
const MAX_WORKSPACE_MAILS_PER_DAY = 50
const MAX_MAILS_PER_RUN = 100
const MAX_LISTED = 20
/** Any constant works, as long as all workers use the same one. */
const LOCK_KEY = 7_305_117_209

export type FailureMailsDeps = {
  sql: SystemSql
  clock: Clock
  log: Log
  registry: Registry
  mails: Pick<Mails, 'webhookFailing'>
}

type Group = {
  workspaceId: string
  workspaceName: string
  /** Null: `failureEmail` is not the verified address of an admin or owner. */
  userId: string | null
  email: string
  endpointIds: readonly string[]
  recipientName: string
  recipientLanguage: Language | null
  workspaceMails: number
  recipientMails: number
  isOverLimit: boolean
  /** Across all groups, including those beyond the rows of this query. */
  postponed: number
  withoutRecipient: number
}

type MarkedRow = {
  endpointId: string
  workspaceId: string
  url: string
  failingSince: Date
  autoPausedAt: Date | null
  status: number | null
  error: string | null
}

/**
 * One mail per run, workspace and recipient. An endpoint is marked before its mail is sent, so a crash may lose a
 * mail but never sends it twice. Over a limit, or without a recipient, its mail stays due. The recipient is the admin
 * or owner named by `failureEmail`; without one, a pause is reported to the owner who has been a member the longest.
 */
export class FailureMails {
  readonly #deps: FailureMailsDeps
  readonly #meters: ReturnType<typeof failureMailMeters>
  #reported = { postponed: 0, withoutRecipient: 0 }

  constructor(deps: FailureMailsDeps) {
    this.#deps = deps
    this.#meters = failureMailMeters(deps.registry)
  }

  async once(): Promise<void> {
    const { sql, clock, mails } = this.#deps
    const now = new Date(clock())
    const reports = await inTransaction(sql, (tx) => this.#mark(tx, now))
    for (const { group, rows } of reports) {
      const isAccepted = mails.webhookFailing(group.email, toFacts(group, rows))
      this.#meters.mails.inc({ outcome: isAccepted ? 'accepted' : 'refused' })
      if (!isAccepted) await rearm(sql, group, rows, now)
    }
  }

  /** One worker at a time decides, so that the limits are exact. */
  async #mark(tx: Tx, now: Date) {
    const [lock] = await tx<{ isMine: boolean }[]>`
      select pg_try_advisory_xact_lock(${LOCK_KEY}) as is_mine`
    if (!lock!.isMine) return []
    await tx`delete from webhook_failure_mails where sent_at <= ${new Date(now.getTime() - DAY_MS)}`
    const groups = await listArmedGroups(tx, now)
    this.#report(groups[0] ?? { postponed: 0, withoutRecipient: 0 })
    const chosen = withinLimits(groups)
    if (chosen.length === 0) return []
    const marked = await markEndpoints(tx, chosen, now)
    const reports = chosen
      .map((group) => ({
        group,
        rows: marked.filter(({ endpointId }) => group.endpointIds.includes(endpointId)),
      }))
      // A success may have come between the two statements.
      .filter(({ rows }) => rows.length > 0)
    for (const { group } of reports)
      await tx`
        insert into webhook_failure_mails (workspace_id, user_id, sent_at)
        values (${group.workspaceId}, ${group.userId}, ${now})`
    return reports
  }

  #report({ postponed, withoutRecipient }: Pick<Group, 'postponed' | 'withoutRecipient'>): void {
    const { log } = this.#deps
    this.#meters.postponed.set(postponed)
    this.#meters.withoutRecipient.set(withoutRecipient)
    if (postponed > this.#reported.postponed)
      log.warn(
        { mails: postponed },
        'webhook failure mails postponed: the limit per recipient or workspace is reached',
      )
    if (withoutRecipient > this.#reported.withoutRecipient)
      log.warn(
        { endpoints: withoutRecipient },
        'failing webhook endpoints without a recipient: their failureEmail is not the verified address of an admin',
      )
    this.#reported = { postponed, withoutRecipient }
  }
}

function isArmed(tx: Tx): Fragment {
  return tx`(e.deleted_at is null and s.notified_at is null
    and (s.auto_paused_at is not null
      or s.failure_count >= ${FAILING_AFTER} and e.failure_email is not null))`
}

/** Groups that may get a mail come first, and among these the ones with the fewest mails. */
function listArmedGroups(tx: Tx, now: Date): Promise<Group[]> {
  const hourAgo = new Date(now.getTime() - HOUR_MS)
  return tx<Group[]>`
    with armed as (
      select e.id, e.workspace_id, u.id as user_id
      from webhook_endpoint_stats s join webhook_endpoints e on e.id = s.endpoint_id
      left join lateral (
        select u.id from members m join users u on u.id = m.user_id
        cross join lateral (
          select coalesce(u.email_key in (e.failure_email, lower(e.failure_email)), false) as is_named
        ) as named
        where m.workspace_id = e.workspace_id and m.role in ('admin', 'owner')
          and u.email_verified_at is not null and u.suspended_at is null
          and (is_named or s.auto_paused_at is not null and m.role = 'owner')
        order by is_named desc, m.created_at, u.id limit 1
      ) as u on true
      where ${isArmed(tx)}
    ), groups as (
      select a.workspace_id, w.name as workspace_name, u.id as user_id, u.email,
        u.name as recipient_name, u.preferences->>'language' as recipient_language,
        array_agg(a.id) as endpoint_ids, count(*) as endpoints,
        (select count(*) from webhook_failure_mails f where f.workspace_id = a.workspace_id)
          as workspace_mails,
        (select count(*) from webhook_failure_mails f
          where f.user_id = u.id and f.sent_at > ${hourAgo}) as recipient_mails
      from armed a
      join workspaces w on w.id = a.workspace_id and w.suspended_at is null
      left join users u on u.id = a.user_id
      group by a.workspace_id, w.id, u.id
    ), judged as (
      select *, user_id is not null and (workspace_mails >= ${MAX_WORKSPACE_MAILS_PER_DAY}
        or recipient_mails >= ${MAX_MAILS_PER_HOUR}) as is_over_limit
      from groups
    )
    select *, count(*) filter (where is_over_limit) over () as postponed,
      coalesce(sum(endpoints) filter (where user_id is null) over (), 0)::int as without_recipient
    from judged
    order by user_id is null or is_over_limit, workspace_mails, recipient_mails, workspace_id, user_id
    limit ${MAX_MAILS_PER_RUN}`
}

function markEndpoints(tx: Tx, chosen: readonly Group[], now: Date): Promise<MarkedRow[]> {
  return tx<MarkedRow[]>`
    update webhook_endpoint_stats s set notified_at = ${now}
    from webhook_endpoints e
    where s.endpoint_id = any(${chosen.flatMap((group) => group.endpointIds)}::text[])
      and e.id = s.endpoint_id and ${isArmed(tx)}
    returning e.id as endpoint_id, e.workspace_id, e.url, s.auto_paused_at,
      coalesce(s.last_success_at, e.created_at) as failing_since,
      s.last_failure_status as status, s.last_failure_error as error`
}

async function rearm(
  sql: SystemSql,
  { workspaceId, userId }: Group,
  rows: readonly MarkedRow[],
  markedAt: Date,
): Promise<void> {
  await inTransaction(sql, async (tx) => {
    await tx`
      update webhook_endpoint_stats set notified_at = null
      where endpoint_id = any(${rows.map((row) => row.endpointId)}::text[]) and notified_at = ${markedAt}`
    await tx`
      delete from webhook_failure_mails
      where workspace_id = ${workspaceId} and user_id = ${userId} and sent_at = ${markedAt}`
  })
}

function withinLimits(groups: readonly Group[]): Group[] {
  const ofWorkspace = new Map<string, number>()
  const ofRecipient = new Map<string, number>()
  return groups.filter(({ workspaceId, userId, workspaceMails, recipientMails }) => {
    if (userId === null) return false
    const inWorkspace = ofWorkspace.get(workspaceId) ?? workspaceMails
    const toRecipient = ofRecipient.get(userId) ?? recipientMails
    if (inWorkspace >= MAX_WORKSPACE_MAILS_PER_DAY || toRecipient >= MAX_MAILS_PER_HOUR)
      return false
    ofWorkspace.set(workspaceId, inWorkspace + 1)
    ofRecipient.set(userId, toRecipient + 1)
    return true
  })
}

function toFacts(group: Group, rows: readonly MarkedRow[]) {
  const { recipientName, recipientLanguage, workspaceName } = group
  const listed = rows
    .toSorted((a, b) => a.failingSince.getTime() - b.failingSince.getTime())
    .slice(0, MAX_LISTED)
  return {
    name: recipientName,
    language: recipientLanguage ?? undefined,
    workspaceName,
    endpoints: listed.map(({ endpointId, url, failingSince, autoPausedAt, status, error }) => ({
      endpointId,
      host: URL.parse(url)?.host ?? '',
      failingSince,
      autoPausedAt,
      status,
      error,
    })),
    unlistedCount: rows.length - listed.length,
  }
}

function failureMailMeters(registry: Registry) {
  const registers = [registry]
  return {
    mails: new Counter({
      name: 'signpost_webhook_failure_mails_total',
      help: 'Mails about failing webhook endpoints: accepted, or refused because too many wait.',
      labelNames: ['outcome'],
      registers,
    }),
    postponed: new Gauge({
      name: 'signpost_webhook_failure_mails_postponed',
      help: 'Mails about failing webhook endpoints that wait for the limits of their recipient or workspace.',
      registers,
    }),
    withoutRecipient: new Gauge({
      name: 'signpost_webhook_failing_without_recipient',
      help: 'Failing webhook endpoints whose failureEmail is not the verified address of an admin.',
      registers,
    }),
  }
}
