import type { Principal } from '../../platform/routes/principal.ts'
import type { AuditAction, Changes } from '../../platform/audit/audit.ts'
import type { EventType } from '../../webhooks/events.ts'
import type { Link } from './schema.ts'

/** The audit entry of a change of a link. */
export function toEntry(action: AuditAction, { id, name }: Link, changes: Changes) {
  return { action, target: { type: 'link', id, name }, changes }
}

/**
 * The event of a change of a link.
 * @param changes of an update, whose event has the names of the fields and their old values too; of the
 *   password only its name
 */
export function toEvent(
  { workspaceId }: Principal,
  type: EventType,
  { password: _password, ...shown }: Link,
  changes?: Changes,
) {
  const { password: _changed, ...described } = changes ?? {}
  const previous = Object.entries(described).map(([name, change]) => [name, change.old])
  const data = changes
    ? { ...shown, changes: Object.keys(changes), previous: Object.fromEntries(previous) }
    : shown
  return { type, workspaceId, data }
}

/** Slug and destination of a link that is created (`before` null) or deleted (`after` null). */
export function toAddressChanges(before: Link | null, after: Link | null): Changes {
  return {
    slug: { old: before?.slug ?? null, new: after?.slug ?? null },
    destinationUrl: { old: before?.destinationUrl ?? null, new: after?.destinationUrl ?? null },
  }
}
