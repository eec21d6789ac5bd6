import type { Schemas } from '../api/client.ts'

export type Scope = NonNullable<Schemas['CreateApiKey']['scopes']>[number]
type NamedScope = Exclude<Scope, '*' | '*:read'>
export type Area = NamedScope extends `${infer Name}:${string}` ? Name : never
export type Level = 'none' | 'read' | 'write'

/**
 * Every scope of the API. False: required by no route, so that new keys are not offered it; keys that
 * have it keep it.
 */
const SCOPES: Record<NamedScope, boolean> = {
  'links:read': true,
  'links:write': true,
  'analytics:read': true,
  'analytics:write': false,
  'campaigns:read': true,
  'campaigns:write': true,
  'utm-templates:read': true,
  'utm-templates:write': true,
  'domains:read': true,
  'domains:write': true,
  'bio-pages:read': true,
  'bio-pages:write': true,
  'media:read': true,
  'media:write': true,
  'dashboards:read': true,
  'dashboards:write': true,
  'reports:read': true,
  'reports:write': true,
  'alerts:read': true,
  'alerts:write': true,
  'conversions:write': true,
  'deferred:read': false,
  'deferred:write': true,
  'webhooks:read': true,
  'webhooks:write': true,
  'workspaces:read': true,
  'workspaces:write': true,
  'members:read': true,
  'members:write': true,
  'billing:read': true,
  'audit-log:read': true,
  'security-log:read': true,
}

export type Access = { kind: 'full' | 'read' | 'chosen'; levels: Partial<Record<Area, Level>> }

/** The access that the scopes of a key allow; null: everything. */
export function toAccess(scopes: readonly string[] | null): Access {
  if (scopes === null || scopes.includes('*')) return { kind: 'full', levels: {} }
  const levels: Partial<Record<Area, Level>> = {}
  for (const scope of scopes) {
    const [area, level] = scope.split(':') as [Area, Level]
    // Writing includes reading.
    if (levels[area] !== 'write') levels[area] = level
  }
  if (scopes.length === 1 && scopes[0] === '*:read') return { kind: 'read', levels: {} }
  return { kind: 'chosen', levels }
}

/** The scopes of a request. */
export function toScopes({ kind, levels }: Access): Scope[] | null {
  if (kind === 'full') return null
  if (kind === 'read') return ['*:read']
  return Object.entries(levels)
    .filter(([, level]) => level !== 'none')
    .map(([area, level]) => `${area}:${level}` as Scope)
}

/**
 * The areas that a form shows with their levels: those that have routes, and those that the key has already.
 * @param limit what an app asks for
 */
export function areasOf(
  kept: Partial<Record<Area, Level>>,
  limit?: Access,
): { area: Area; levels: Level[] }[] {
  const byArea = new Map<Area, Level[]>()
  for (const [scope, isOffered] of Object.entries(SCOPES)) {
    const [area, level] = scope.split(':') as [Area, Level]
    if ((isOffered || kept[area] === level) && isWithin(limit, area, level))
      byArea.set(area, [...(byArea.get(area) ?? ['none']), level])
  }
  return [...byArea].map(([area, levels]) => ({ area, levels }))
}

function isWithin(limit: Access | undefined, area: Area, level: Level): boolean {
  if (!limit || limit.kind === 'full') return true
  if (limit.kind === 'read') return level === 'read'
  // Writing includes reading.
  return limit.levels[area] === 'write' || limit.levels[area] === level
}
