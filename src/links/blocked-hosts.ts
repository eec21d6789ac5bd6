import { invalid, type ApiError } from '../platform/core/errors.ts'
import type { LinkOptions } from '../platform/facts/link-options.ts'
import { listHosts } from '../platform/facts/hosts.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'

export type Destinations = { destinationUrl: string; options: LinkOptions | null }

export type Target = { path: string; url: string }

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

export function readBlockedHosts(
  tx: Tx,
  links: readonly Destinations[],
): Promise<ReadonlySet<string>> {
  return readBlockedTargets(tx, links.flatMap(listDestinations))
}

export async function readBlockedTargets(
  tx: Tx,
  targets: readonly Target[],
): Promise<ReadonlySet<string>> {
  const hosts = [...new Set(targets.flatMap(({ url }) => listHosts(url)))]
  if (hosts.length === 0) return new Set()
  const rows = await tx<{ value: string }[]>`
    select value from blocks
    where kind = 'host' and value = any(${hosts}::text[]) and lifted_at is null`
  return new Set(rows.map(({ value }) => value))
}

/** The first blocked host that a link may lead to. */
export function findBlockedHost(
  link: Destinations,
  blocked: ReadonlySet<string>,
): { path: string; host: string } | null {
  return blocked.size === 0 ? null : findBlockedTarget(listDestinations(link), blocked)
}

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

export function blockedRefusal(link: Destinations, blocked: ReadonlySet<string>): ApiError | null {
  const found = findBlockedHost(link, blocked)
  return found && blockedTarget(found)
}

export function blockedTarget({ path, host }: { path: string; host: string }): ApiError {
  return invalid(path, `${path}: links to ${host} are blocked.`, 'blocked')
}
