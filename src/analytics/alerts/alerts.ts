import { lockWorkspace } from '../../accounts/members/membership.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { getChanges, isDifferent } from '../../platform/audit/audit.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { checkAddress } from '../../platform/resources/field-checks.ts'
import { noSuch, ownTable, refuseForeign, requireRoom } from '../../platform/resources/ownership.ts'
import { isoOrNull, type Paged } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { getNextCheckMs } from './judge.ts'
import type { Alert, ClicksState, CreateAlert, UpdateAlert, Watch } from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'saveIdempotentResponse'>

type Row = Pick<Alert, 'id' | 'workspaceId' | 'linkId' | 'linkName' | 'recipients' | 'isActive'> & {
  watches: Watch[]
  clicksState: ClicksState
  clicksSince: Date | null
  clicks: number | null
  clicksUsual: number | null
  destinationState: 'ok' | 'failing'
  destinationSince: Date | null
  checkedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

const NOUN = 'alert'
/** Bounds what the checks of a workspace cost in an hour. */
const MAX_ALERTS = 50
const COLUMNS = `id, workspace_id, link_id,
  (select l.name from links l where l.id = link_id and l.workspace_id = alerts.workspace_id) as link_name,
  watches, recipients, is_active, clicks_state, clicks_since, clicks, clicks_usual,
  destination_state, destination_since, checked_at, created_at, updated_at`

const table = ownTable<Row>('alerts', NOUN, COLUMNS)
const { find, load } = table

export type Alerts = ReturnType<typeof createAlerts>

export const createAlerts = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, remove })

async function get({ sql }: Deps, principal: Principal, id: string): Promise<Alert> {
  return toAlert(await inWorkspace(sql, principal.workspaceId, (tx) => load(tx, principal, id)))
}

async function list(deps: Deps, principal: Principal, query: Paged, signal?: AbortSignal) {
  const { rows, meta } = await table.list(deps, principal, query, signal)
  return page(rows.map(toAlert), meta)
}

async function create(deps: Deps, principal: Principal, input: CreateAlert): Promise<Alert> {
  const { sql, clock, audit, saveIdempotentResponse } = deps
  const { workspaceId } = principal
  const linkId = input.linkId ?? null
  const watches = toWatches(input.watches, linkId)
  return inWorkspace(sql, workspaceId, async (tx) => {
    await lockWorkspace(tx, workspaceId)
    await requireLink(tx, principal, linkId)
    await requireRoom(tx, principal, 'alerts', 'alerts', MAX_ALERTS)
    const nowMs = clock()
    const now = new Date(nowMs)
    const id = newId('alr', nowMs)
    const [made] = await tx`
      insert into alerts ${tx({
        ...{ id, workspaceId, linkId, watches, isActive: input.isActive ?? true },
        recipients: await toRecipients(tx, principal, input.recipients ?? []),
        nextCheckAt: new Date(getNextCheckMs(nowMs)),
        ...{ createdAt: now, updatedAt: now },
      })}
      on conflict do nothing returning id`
    if (!made)
      throw new ApiError('CONFLICT', 'There is an alert for this already. Change that one.')
    const row = await load(tx, principal, id)
    await audit(tx, principal, {
      action: 'alert.created',
      target: toTarget(row),
      changes: getChanges({ watches: null, recipients: null, isActive: null }, toValues(row)),
    })
    return saveIdempotentResponse(tx, principal, toAlert(row))
  })
}

async function update(
  { sql, clock, audit }: Deps,
  principal: Principal,
  id: string,
  input: UpdateAlert,
): Promise<Alert> {
  const { workspaceId } = principal
  return inWorkspace(sql, workspaceId, async (tx) => {
    const before = await load(tx, principal, id, 'for update')
    requireMatch(principal, toAlert(before))
    const { watches = before.watches, isActive = before.isActive } = input
    const wanted = {
      watches: toWatches(watches, before.linkId),
      recipients: input.recipients
        ? await toRecipients(tx, principal, input.recipients)
        : before.recipients,
      isActive,
    }
    if (!isDifferent(before, wanted)) return toAlert(before)
    const updatedAt = changeTime(clock(), before)
    // What is no longer watched is over, without a mail.
    const over = {
      ...(!(isActive && wanted.watches.includes('clicks')) && {
        ...{ clicksState: 'usual', clicksSince: null, clicks: null, clicksUsual: null },
      }),
      ...(!(isActive && wanted.watches.includes('destination')) && {
        ...{ destinationState: 'ok', destinationSince: null, destinationFailures: 0 },
      }),
    }
    await tx`
      update alerts set ${tx({ ...wanted, ...over, updatedAt })}
      where id = ${id} and workspace_id = ${workspaceId}`
    const after = await load(tx, principal, id)
    const changes = getChanges(toValues(before), toValues(after))
    await audit(tx, principal, { action: 'alert.updated', target: toTarget(after), changes })
    return toAlert(after)
  })
}

async function remove({ sql, audit }: Deps, principal: Principal, id: string): Promise<void> {
  const { workspaceId } = principal
  await inWorkspace(sql, workspaceId, async (tx) => {
    const [row] = await tx<Row[]>`
      delete from alerts where id = ${id} and workspace_id = ${workspaceId}
      returning ${tx.unsafe(COLUMNS)}`
    if (!row) throw noSuch(NOUN)
    await audit(tx, principal, {
      action: 'alert.deleted',
      target: toTarget(row),
      changes: getChanges(toValues(row), { watches: null, recipients: null, isActive: null }),
    })
  })
}

async function requireLink(tx: Tx, principal: Principal, linkId: string | null): Promise<void> {
  if (linkId === null) return
  await refuseForeign(tx, principal, 'linkId', linkId)
  const [link] = await tx`
    select from links where id = ${linkId} and workspace_id = ${principal.workspaceId}`
  if (!link) throw invalid('linkId', 'linkId names no link of the workspace.', 'unknown')
}

function toWatches(watches: readonly Watch[], linkId: string | null): Watch[] {
  if (linkId === null && watches.includes('destination'))
    throw invalid('watches', 'Only a link has a destination. Name one in linkId.')
  return [...new Set(watches)].toSorted()
}

/** Only members get mails, so that an alert sends nothing to strangers. */
async function toRecipients(tx: Tx, { workspaceId }: Principal, recipients: readonly string[]) {
  const keys = recipients.map(
    (recipient, at) => checkAddress(recipient, `recipients.${at}`).emailKey,
  )
  const members = await tx<{ emailKey: string }[]>`
    select u.email_key from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.email_key = any(${keys}::text[])`
  const known = new Set(members.map(({ emailKey }) => emailKey))
  for (const [at, key] of keys.entries())
    if (!known.has(key))
      throw invalid(
        `recipients.${at}`,
        `recipients.${at} must be the address of a member of the workspace.`,
      )
  return [...new Set(keys)]
}

function toAlert(row: Row): Alert {
  const { id, workspaceId, linkId, linkName, watches, recipients, isActive } = row
  return {
    ...{ id, workspaceId, linkId, linkName, watches, recipients, isActive },
    clicks: {
      state: row.clicksState,
      since: isoOrNull(row.clicksSince),
      count: row.clicks,
      usual: row.clicksUsual,
    },
    destination: { state: row.destinationState, since: isoOrNull(row.destinationSince) },
    checkedAt: isoOrNull(row.checkedAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

function toValues({ watches, recipients, isActive }: Row): object {
  return { watches, recipients, isActive }
}

function toTarget({ id, linkName }: Row) {
  return { type: 'alert', id, name: linkName }
}
