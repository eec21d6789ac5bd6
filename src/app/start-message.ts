import { join } from 'node:path'
import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'
import { readVersion } from '../platform/config/checkout.ts'
import { isReplicated } from '../platform/storage/clickhouse/clickhouse.ts'

const SIGNUP: Record<Config['signup'], string> = {
  open: 'open to every visitor (SIGNUP)',
  invite: 'by invitation (SIGNUP)',
  closed: 'closed (SIGNUP)',
}

type Started = { origin: string; isWaiting: boolean }

/** Written to stderr, since stdout has the log. */
export function startMessage({ origin, isWaiting }: Started, config: Config): string {
  const engines = [
    config.databaseUrl === null ? 'embedded PostgreSQL' : 'PostgreSQL at DATABASE_URL',
    config.clickhouseUrl === null ? 'embedded ClickHouse' : 'ClickHouse at CLICKHOUSE_URL',
  ]
  const { api } = partsOf(config.role)
  const hasDashboard = api === 'whole' || api === 'forwards'
  const outbox = join(config.dataDir, 'outbox')
  const signIn = config.signup === 'open' ? 'sign up or sign in' : 'sign in'
  const lines = [
    ...(config.role === 'all' ? [] : [`  Role       ${config.role}`]),
    `  Data       ${config.dataDir} (${engines.join(', ')})`,
    ...(hasDashboard ? [`  Dashboard  ${origin}/app/`] : []),
    '  First key  npm run -s signpost -- bootstrap --email you@example.com',
    `  API        ${origin}/v1/reference`,
    `  Mail       ${config.smtpUrl === null ? `files in ${outbox} (npm run -s signpost -- mails)` : 'by SMTP_URL'}`,
    `  Sign-up    ${SIGNUP[config.signup]}`,
    ...hintsFor(config).map((hint) => `  Note       ${hint}`),
    ...(hasDashboard
      ? [`  Next       open the dashboard to ${signIn}; Ctrl-C stops the server`]
      : []),
  ]
  const state = isWaiting ? 'waits for its databases, and answers' : 'is ready'
  return `\nSignpost ${readVersion()} ${state} at ${origin}\n\n${lines.join('\n')}\n\n`
}

export function hintsFor(config: Config): string[] {
  const { role, host, publicUrl, shortUrl, clickhouseEngine, clickhouseCluster } = config
  const isOpen = !['127.0.0.1', 'localhost', '::1'].includes(host)
  const hints: string[] = []
  if (isOpen && publicUrl === null)
    hints.push('set PUBLIC_URL, the address that short URLs begin with')
  const hasVisitors = partsOf(role).edge && (isOpen || publicUrl !== null)
  if (hasVisitors && isShared(publicUrl, shortUrl))
    hints.push(
      'set SHORT_URL to another host: pages of links are on the host of the API and the dashboard',
    )
  if (isReplicated(clickhouseEngine) && clickhouseCluster === null)
    hints.push(
      'set CLICKHOUSE_CLUSTER; without it, clicks that only another replica has count as missing',
    )
  return hints
}

function isShared(publicUrl: string | null, shortUrl: string | null): boolean {
  if (shortUrl === null) return true
  return publicUrl !== null && new URL(shortUrl).hostname === new URL(publicUrl).hostname
}
