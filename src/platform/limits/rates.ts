export type Rate = {
  readonly what: string
  readonly per: string
  readonly points: number | { readonly setting: string }
  readonly seconds: number
  readonly withoutRedis: 'as many' | 'a quarter'
}

const MINUTE = 60
const HOUR = 3_600
const DAY = 86_400

const counted = (
  what: string,
  per: string,
  points: Rate['points'],
  seconds: number,
  withoutRedis: Rate['withoutRedis'] = 'a quarter',
): Rate => ({ what, per, points, seconds, withoutRedis })

const OF_ACCOUNT = 'API key, or user of a session'
const OF_WORKSPACE = 'workspace'
const OF_NETWORK = 'network'

/** The counters in Redis have these names. */
export const RATES = {
  api: counted('API requests', OF_ACCOUNT, { setting: 'RATE_LIMIT_API' }, MINUTE, 'as many'),
  auth: counted(
    'Requests to one route that takes a password, a code or a token',
    OF_NETWORK,
    { setting: 'RATE_LIMIT_AUTH' },
    MINUTE,
  ),
  ingestion: counted(
    'Requests with conversions',
    OF_ACCOUNT,
    { setting: 'RATE_LIMIT_INGESTION' },
    1,
    'as many',
  ),
  preview: counted(
    'Link previews',
    OF_ACCOUNT,
    { setting: 'RATE_LIMIT_PREVIEW' },
    MINUTE,
    'as many',
  ),
  /** Reading one takes several times the processor time of a request. */
  messages: counted('MCP messages', 'user of the API key', 600, MINUTE, 'as many'),
  refusals: counted('Requests with an invalid credential', OF_NETWORK, 6_000, MINUTE, 'as many'),
  'idempotency-keys': counted(
    'New idempotency keys',
    'workspace, or user without one',
    { setting: 'IDEMPOTENCY_KEYS_PER_DAY' },
    DAY,
    'as many',
  ),
  'webhook-calls': counted(
    'Tests, dispatches, retries and replays of webhooks',
    OF_WORKSPACE,
    { setting: 'WEBHOOK_CALLS_PER_MINUTE' },
    MINUTE,
    'as many',
  ),
  'deferred-matches': counted(
    'Clicks that answer deferred deep links',
    OF_WORKSPACE,
    { setting: 'DEFERRED_MATCHES_PER_DAY' },
    DAY,
    'as many',
  ),
  'link-password-network': counted('Wrong passwords of one link', OF_NETWORK, 5, MINUTE),
  'link-password': counted('Wrong passwords', 'link', 30, 10 * MINUTE),
  'dashboard-password-network': counted('Wrong passwords of one dashboard', OF_NETWORK, 5, MINUTE),
  'dashboard-password': counted('Wrong passwords', 'shared dashboard', 30, 10 * MINUTE),
  account: counted('Failed sign-ins', 'account', 100, HOUR),
  'account-ip': counted('Failed sign-ins to one account', OF_NETWORK, 10, 15 * MINUTE),
  factor: counted('Wrong second factors', 'user', 10, 15 * MINUTE),
  'device-code': counted('Codes of devices tried', 'user', 20, 15 * MINUTE),
  mail: counted('Mails that need no account to request', 'mail address', 10, HOUR),
  'mail-network': counted('Such mails to one address', OF_NETWORK, 3, HOUR),
  invitation: counted('Invitations of one workspace', 'mail address', 3, HOUR),
  'invitation-mail': counted('Invitations', 'mail address', 10, HOUR),
  inviter: counted('Invitations', 'user who invites', 300, DAY),
  'report-mail': counted('Mails about reports', 'mail address', 20, DAY),
  'alert-mail': counted('Mails with alerts', 'mail address', 20, DAY),
  'domain-check': counted('DNS checks on request', 'domain', 10, MINUTE),
  'domain-checks': counted('DNS checks on request', OF_WORKSPACE, 60, MINUTE),
  'abuse-report': counted('Reports of abuse', OF_NETWORK, 10, HOUR),
  'abuse-report-link': counted('Stored reports of abuse', 'link', 20, HOUR),
  'abuse-reports': counted(
    'First reports of abuse per network; as many further ones',
    'server',
    300,
    HOUR,
  ),
} satisfies Record<string, Rate>

export type RateName = keyof typeof RATES
