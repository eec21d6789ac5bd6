import { invalid, type ApiError } from '../platform/core/errors.ts'
import type { LinkOptions } from '../platform/facts/link-options.ts'
import { listHosts } from '../platform/facts/url-hosts.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'

/** Fields of a link that have its possible destinations. */
export type Destinations = { destinationUrl: string; options: LinkOptions | null }

/** A URL to which visitors may be sent, with the path of its field. */
export type Target = { path: string; url: string }

/** Every URL to which a visit of the link may lead, with the path of its field. */
function listDestinations({ destinationUrl, options }: Destinations): Target[] {
  const { expiredUrl, iosDeepLink, androidDeepLink, rules = [], variants = [] } = options ?? {}
  const given: readonly (readonly [path: string, url: string | undefined])[] = [
    ['destinationUrl', destinationUrl],
    ['expiredUrl', expiredUrl],
    ['iosDeepLink', iosDeepLink],
    ['androidDeepLink', androidDeepLink],
    ...rules.map((rule, i) => [`rules.${i}.destinationUrl`, rule.destinationUrl] as const),
    ...variants.map((each, i) => [`variants.${i}.destinationUrl`, each.destinationUrl] as const),
  ]
  return given.flatMap(([path, url]) => (url === undefined ? [] : [{ path, url }]))
}

/** The hosts among these of links that are blocked. */
export function readBlockedHosts(
  tx: Tx,
  links: readonly Destinations[],
): Promise<ReadonlySet<string>> {
  return readBlockedTargets(tx, links.flatMap(listDestinations))
}

/** The hosts among these of URLs that are blocked. */
export async function readBlockedTargets(
  tx: Tx,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const hosts = hostsOf(targets)
  if (hosts.length === 0) return new Set()
  const rows = await tx<{ value: string }[]>`
    select value from blocks
    where kind = 'host' and value = any(${hosts}::text[]) and lifted_at is null`
  return new Set(rows.map(({ value }) => value))
}

/** The blocked host to which a link may lead, with the path of the field; null for none. */
export function findBlockedHost(
  link: Destinations,
  blocked: ReadonlySet<string>,
): { path: string; host: string } | null {
  return blocked.size === 0 ? null : findBlockedTarget(listDestinations(link), blocked)
}

/** The first URL with a blocked host; null for none. */
export function findBlockedTarget(
  targets: readonly Target[],
  blocked: ReadonlySet<string>,
): { path: string; host: string } | null {
  for (const { path, url } of targets) {
    const host = listHosts(url).find((name) => blocked.has(name))
    if (host !== undefined) return { path, host }
  }
  return null
}

/** The error for a link to a blocked host; null for a link to none. */
export function blockedRefusal(link: Destinations, blocked: ReadonlySet<string>): ApiError | null {
  const found = findBlockedHost(link, blocked)
  return found && blockedTarget(found)
}

/** The error for a URL with a blocked host. */
export function blockedTarget({ path, host }: { path: string; host: string }): ApiError {
  return invalid(path, `${path}: links to ${host} are blocked.`, 'blocked')
}

function hostsOf(targets: readonly Target[]): string[] {
  return [...new Set(targets.flatMap(({ url }) => listHosts(url)))]
}
