import { invalid, itIs } from '../../platform/core/errors.ts'
import type { Resource } from '../../platform/resources/resource.ts'
import { RESOURCES } from '../../resources.ts'

export const SCOPES: readonly string[] = [
  '*',
  '*:read',
  ...Object.values<Resource>(RESOURCES).flatMap(({ scopes = {} }) =>
    Object.entries(scopes).flatMap(([name, verbs]) =>
      Object.keys(verbs).map((verb) => `${name}:${verb}`),
    ),
  ),
]

/** Other accepted spellings: the presets with dots, and the scope of a mobile app. */
const ALIASES: Readonly<Record<string, string>> = {
  'apis.all': '*',
  'apis.read': '*:read',
  deferred: 'deferred:write',
}

/** In the standard spelling, without repetitions, in the order of the list above; null is full access. */
export function normalizeScopes(scopes: readonly string[] | null | undefined): string[] | null {
  if (scopes === null || scopes === undefined) return null
  if (scopes.length === 0)
    throw invalid(
      'scopes',
      'scopes must name at least one scope; leave it out for full access.',
      'minItems',
    )
  const named = new Set(scopes.map(normalizeScope))
  return SCOPES.filter((scope) => named.has(scope))
}

function normalizeScope(scope: string, index: number): string {
  const alias = Object.hasOwn(ALIASES, scope) ? ALIASES[scope]! : scope.replace('.', ':')
  if (SCOPES.includes(alias)) return alias
  const path = `scopes.${index}`
  throw invalid(path, `${path} must be one of ${SCOPES.join(', ')}${itIs(path, scope)}.`, 'enum')
}
