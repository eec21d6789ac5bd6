import { invalid } from '../../base/errors.ts'

const BOTH = ['read', 'write'] as const

/** What a key may be narrowed to: the verbs of each resource; `write` covers `read`. */
const VERBS: Readonly<Record<string, readonly ('read' | 'write')[]>> = {
  links: BOTH,
  analytics: BOTH,
  domains: BOTH,
  campaigns: BOTH,
  'utm-templates': BOTH,
  'bio-pages': BOTH,
  media: BOTH,
  reports: BOTH,
  webhooks: BOTH,
  conversions: ['write'],
  deferred: BOTH,
  dashboards: BOTH,
  workspaces: BOTH,
  members: BOTH,
  billing: ['read'],
  'audit-log': ['read'],
  'security-log': ['read'],
}

export const SCOPES: readonly string[] = [
  '*',
  '*:read',
  ...Object.entries(VERBS).flatMap(([resource, verbs]) =>
    verbs.map((verb) => `${resource}:${verb}`),
  ),
]

/** Other spellings that are taken: the presets of keys with dots, and the scope of a mobile app. */
const ALIASES: Readonly<Record<string, string>> = {
  'apis.all': '*',
  'apis.read': '*:read',
  deferred: 'deferred:write',
}

/**
 * The scopes of a key in our own spelling, each once, in the order of the list above. `links.read`
 * is taken for `links:read`; null or nothing is full access.
 * @throws ApiError VALIDATION_ERROR with the path `scopes` or `scopes.<index>`
 */
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
  throw invalid(path, `${path} must be one of ${SCOPES.join(', ')}.`, 'enum')
}
