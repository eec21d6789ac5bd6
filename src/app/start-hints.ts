import type { Config } from '../platform/config/config.ts'
import { isReplicated } from '../platform/storage/clickhouse/clickhouse.ts'
import { partsOf } from '../platform/config/roles.ts'

/** Settings that an operator should make before visitors come, for the start message. */
export function hintsFor(config: Config): string[] {
  const { role, host, publicUrl, shortUrl, clickhouseEngine, clickhouseCluster } = config
  const isOpen = !['127.0.0.1', 'localhost', '::1'].includes(host)
  const hints: string[] = []
  if (isOpen && publicUrl === null) hints.push('set PUBLIC_URL, with which short URLs begin')
  const hasVisitors = partsOf(role).edge && (isOpen || publicUrl !== null)
  if (hasVisitors && isShared(publicUrl, shortUrl))
    hints.push(
      'set SHORT_URL to a host of its own: the pages of links share the host of API and dashboard',
    )
  if (isReplicated(clickhouseEngine) && clickhouseCluster === null)
    hints.push('set CLICKHOUSE_CLUSTER, so that no click of another replica counts as missing')
  return hints
}

function isShared(publicUrl: string | null, shortUrl: string | null): boolean {
  if (shortUrl === null) return true
  return publicUrl !== null && new URL(shortUrl).hostname === new URL(publicUrl).hostname
}
