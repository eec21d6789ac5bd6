import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { AuditAction } from '../../platform/audit/audit.ts'
import { findBlockedHost, readBlockedHosts } from './refusals.ts'
import { changeTime } from '../../platform/resources/versions.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { compareLinks, recordChanges } from './outcomes.ts'
import { lockMany, type LinkRow } from '../link/rows.ts'
import { announce, FREED_DAYS, toAddresses } from '../link/addresses.ts'
import { changeDeleted, findOwner, lockDeletions, saveVersions } from '../history/versions.ts'

export type BlockCause = { blockId: string; reason: string | null }
type Held = { linkId: string; formerStatus: string }

const BLOCKED = 'blocked'

export type LinkBlocking = ReturnType<typeof createLinkBlocking>

export const createLinkBlocking = (deps: LinkDeps) => ({
  ...bindDeps(deps, { blockLinks, restoreLinks }),
  findOwner,
})

async function blockLinks(
  deps: LinkDeps,
  tx: Tx,
  workspaceId: string,
  causes: ReadonlyMap<string, BlockCause>,
): Promise<void> {
  const principal = systemActing(workspaceId, 'operator')
  // First, so that one of the two statements finds a link that is restored at the same time.
  await blockDeleted(deps, tx, principal, causes)
  const present = await lockMany(tx, principal, [...causes.keys()])
  const rows = [...present.values()].filter(({ status }) => status !== BLOCKED)
  if (rows.length === 0) return
  await insertBlocks(deps, tx, principal, rows, causes)
  const after = rows.map((row) => {
    return { ...row, status: BLOCKED, blockedReason: causes.get(row.id)!.reason }
  })
  await write(deps, tx, principal, 'link.blocked', rows, after)
}

async function insertBlocks(
  { clock }: LinkDeps,
  tx: Tx,
  { workspaceId }: Principal,
  rows: readonly Pick<LinkRow, 'id' | 'status'>[],
  causes: ReadonlyMap<string, BlockCause>,
): Promise<void> {
  const reasons = rows.map(({ id }) => causes.get(id)!.reason)
  await tx`
    insert into link_blocks (link_id, workspace_id, block_id, reason, former_status, blocked_at)
    select link_id, ${workspaceId}, block_id, reason, former_status, ${new Date(clock())}
    from unnest(${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ id }) => causes.get(id)!.blockId)}::text[], ${reasons}::text[],
      ${rows.map(({ status }) => status)}::text[]) as own (link_id, block_id, reason, former_status)`
}

async function blockDeleted(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  causes: ReadonlyMap<string, BlockCause>,
): Promise<void> {
  const { workspaceId } = principal
  const gone = await lockDeletions(tx, principal, [...causes.keys()])
  const rows = gone.map(({ link }) => link).filter(({ status }) => status !== BLOCKED)
  if (rows.length === 0) return
  await insertBlocks(deps, tx, principal, rows, causes)
  const blocked = rows.map(({ id }) => {
    return { id, status: BLOCKED, blockedReason: causes.get(id)!.reason }
  })
  await changeDeleted(tx, principal, blocked)
  const addresses = rows.flatMap(toAddresses)
  await tx`
    update link_addresses a set held_for = own.link_id, free_at = 'infinity'
    from unnest(${addresses.map(({ domainId }) => domainId)}::text[], ${addresses.map(({ key }) => key)}::text[],
      ${addresses.map(({ linkId }) => linkId)}::text[]) as own (domain_id, slug_key, link_id)
    where a.domain_id = own.domain_id and a.slug_key = own.slug_key and a.link_id is null
      and a.workspace_id = ${workspaceId}`
  await deps.audit(
    tx,
    principal,
    ...rows.map(({ id, name, status }) => ({
      action: 'link.blocked' as const,
      target: { type: 'link', id, name },
      changes: { status: { old: status, new: BLOCKED } },
    })),
  )
}

/** A link that another block covers stays blocked, for that block's reason. */
async function restoreLinks(
  deps: LinkDeps,
  tx: Tx,
  workspaceId: string,
  linkIds: readonly string[],
): Promise<void> {
  const principal = systemActing(workspaceId, 'operator')
  const present = await lockMany(tx, principal, linkIds)
  const causes = await readCauses(tx, [...present.values()])
  await tx`
    update link_blocks b set block_id = own.block_id, reason = own.reason
    from unnest(${[...causes.keys()]}::text[], ${Array.from(causes.values(), ({ blockId }) => blockId)}::text[],
      ${Array.from(causes.values(), ({ reason }) => reason)}::text[]) as own (link_id, block_id, reason)
    where b.link_id = own.link_id and b.workspace_id = ${workspaceId}`
  const released = linkIds.filter((id) => !causes.has(id))
  const held = await tx<Held[]>`
    delete from link_blocks where link_id = any(${released}::text[]) and workspace_id = ${workspaceId}
    returning link_id, former_status`
  await releaseDeleted(deps, tx, principal, held)
  const statuses = new Map(held.map(({ linkId, formerStatus }) => [linkId, formerStatus]))
  const rows = [...present.values()].filter(({ id }) => statuses.has(id))
  const after = rows.map((row) => ({ ...row, status: statuses.get(row.id)!, blockedReason: null }))
  if (rows.length > 0) await write(deps, tx, principal, 'link.unblocked', rows, after)
}

async function readCauses(tx: Tx, rows: readonly LinkRow[]) {
  const hosts = await readBlockedHosts(tx, rows)
  const hostOf = new Map(rows.map((row) => [row.id, findBlockedHost(row, hosts)?.host]))
  const blocks = await tx<(BlockCause & { kind: string; value: string })[]>`
    select id as block_id, reason, kind, value from blocks
    where lifted_at is null and ((kind = 'link' and value = any(${rows.map(({ id }) => id)}::text[]))
      or (kind = 'host' and value = any(${[...hosts]}::text[])))`
  return new Map(
    rows.flatMap(({ id }) => {
      const found = blocks.find(
        ({ kind, value }) => value === (kind === 'link' ? id : hostOf.get(id)),
      )
      return found ? [[id, { blockId: found.blockId, reason: found.reason }] as const] : []
    }),
  )
}

async function releaseDeleted(
  { clock }: LinkDeps,
  tx: Tx,
  principal: Principal,
  held: readonly Held[],
): Promise<void> {
  const ids = held.map(({ linkId }) => linkId)
  const freeAt = new Date(clock() + FREED_DAYS * 86_400_000)
  await tx`
    update link_addresses set held_for = null, free_at = ${freeAt}
    where held_for = any(${ids}::text[]) and workspace_id = ${principal.workspaceId}`
  const released = held.map(({ linkId, formerStatus }) => {
    return { id: linkId, status: formerStatus, blockedReason: null }
  })
  await changeDeleted(tx, principal, released)
}

async function write(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  rows: readonly LinkRow[],
  changed: readonly LinkRow[],
): Promise<void> {
  const after = changed.map((row) => ({ ...row, updatedAt: changeTime(deps.clock(), row) }))
  await tx`
    update links l set status = own.status, updated_at = own.updated_at::timestamptz
    from unnest(${after.map(({ id }) => id)}::text[], ${after.map(({ status }) => status)}::text[],
      ${after.map(({ updatedAt }) => updatedAt.toISOString())}::text[]) as own (id, status, updated_at)
    where l.id = own.id and l.workspace_id = ${principal.workspaceId}`
  const records = rows.map((row, i) => compareLinks(deps, row, after[i]!))
  const versions = records.map(({ link, changes }) => ({ linkId: link.id, changes }))
  await allOf([
    saveVersions(tx, principal, 'updated', versions, new Date(deps.clock())),
    recordChanges(deps, tx, principal, action, 'link.updated', records),
    announce(tx, ...rows),
  ])
}
