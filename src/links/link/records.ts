import { type AuditAction, type Changes, getChanges } from '../../platform/audit/audit.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from './dependencies.ts'
import type { LinkRow } from './row.ts'
import type { Link } from './schema.ts'
import { show } from './stored.ts'

export function recordChanges(
  { audit, publish }: LinkDeps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  event: 'link.created' | 'link.updated' | 'link.deleted',
  changed: readonly { link: Link; changes: Changes }[],
) {
  const { workspaceId } = principal
  const entries = changed.map(({ link: { id, name }, changes }) => {
    return { action, target: { type: 'link', id, name }, changes }
  })
  const events = changed.map(({ link: { password: _password, ...shown }, changes }) => {
    const data = event === 'link.updated' ? { ...shown, ...toPrevious(changes) } : shown
    return { type: event, workspaceId, data }
  })
  return allOf([audit(tx, principal, ...entries), publish(tx, ...events)])
}

/** A link after a change, with the differences that its history shows. */
export function compareLinks(deps: LinkDeps, before: LinkRow, after: LinkRow) {
  const [shownBefore, link] = [show(deps, before), show(deps, after)]
  const changes = getChanges(shownBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
  return { link, changes }
}

function toPrevious(changes: Changes) {
  const { password: _password, ...shown } = changes
  const previous = Object.entries(shown).map(([name, { old }]) => [name, old])
  return { changes: Object.keys(changes), previous: Object.fromEntries(previous) }
}

/** Slug and destination of a link that is created (`before` null) or deleted (`after` null). */
export function toAddressChanges(before: Link | null, after: Link | null): Changes {
  return {
    slug: { old: before?.slug ?? null, new: after?.slug ?? null },
    destinationUrl: { old: before?.destinationUrl ?? null, new: after?.destinationUrl ?? null },
  }
}
