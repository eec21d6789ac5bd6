import { slugFromPath } from '../platform/facts/slug.ts'
import type { SystemSql } from '../platform/storage/postgres/postgres.ts'

/** The domain key of a host: '' for shared hosts, null for a host without short links. */
export type ToDomain = (host: string) => Promise<{ key: string; isCaseSensitive: boolean } | null>

export type FoundLink = { linkId: string; workspaceId: string }

/** Finds the link at a short URL, with or without the plus sign of an inspection page. */
export async function findShortLink(
  { systemSql, toDomain }: { systemSql: SystemSql; toDomain: ToDomain },
  { host, pathname }: URL,
): Promise<FoundLink | null> {
  const domain = await toDomain(host)
  if (domain === null) return null
  const slug = slugFromPath(pathname.replace(/\+$/, ''), domain.isCaseSensitive)
  if (slug === null || slug === 'malformed') return null
  const [found] = await systemSql<FoundLink[]>`
    select link_id, workspace_id from link_addresses
    where domain_id = ${domain.key} and slug_key = ${slug.key} and link_id is not null`
  return found ?? null
}

/** A copied short URL, with or without a scheme; null for other texts. */
export function toShortUrl(text: string): URL | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `https://${trimmed}`)
  if (url === null || !['https:', 'http:'].includes(url.protocol)) return null
  return url.username === '' && url.password === '' ? url : null
}
