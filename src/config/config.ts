import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { OperatorError } from '../base/errors.ts'
import {
  boolean,
  cidrs,
  clickhouseUrl,
  delays,
  dnsServer,
  integer,
  issuer,
  list,
  matching,
  minLength,
  oneOf,
  origin,
  postgresUrl,
  redisUrl,
  smtpUrl,
  text,
} from './values.ts'

/**
 * Every setting of Signpost. This table is the only reader of the environment; `.env.example` and
 * `docs/configuration.md` are generated from it (`npm run -s signpost -- config --write`).
 */
type Setting<T> = {
  name: string
  /** Throws an Error whose message completes "PORT must be …". */
  parse: (text: string) => T
  fallback: T
  /** How the default is shown when it is not a plain value. */
  shown?: string
  sentence: string
  secret?: boolean
}

function setting<const T>(row: Setting<T>): Setting<T> {
  return row
}

export const SETTINGS = {
  role: setting({
    name: 'SIGNPOST_ROLE',
    parse: oneOf('all', 'edge', 'gateway', 'services', 'worker'),
    fallback: 'all',
    sentence:
      'What this process does: `all`, or one part of an installation of several processes (`edge`, `gateway`, `services`, `worker`; docs/operations.md). `--role=…` wins over it.',
  }),
  port: setting({
    name: 'PORT',
    parse: integer(0, 65_535),
    fallback: 3000,
    sentence: 'Port to listen on; 0 takes a free one.',
  }),
  host: setting({
    name: 'HOST',
    parse: text,
    fallback: '127.0.0.1',
    sentence:
      'Address to listen on. The default is loopback only (::1 is added to it); 0.0.0.0 or :: opens it to the network.',
  }),
  dataDir: setting({
    name: 'DATA_DIR',
    parse: (value) => resolve(value),
    fallback: resolve('data'),
    shown: './data',
    sentence: 'Directory that holds the databases, the click journal and the secret key.',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    parse: origin,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Origin at which people reach this server (https://links.example.com). When set, requests for other hosts are answered 404; loopback and the health paths stay open.',
  }),
  shortUrl: setting({
    name: 'SHORT_URL',
    parse: origin,
    fallback: null as string | null,
    shown: 'PUBLIC_URL',
    sentence: 'Origin of short links, when it differs from PUBLIC_URL.',
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    parse: postgresUrl,
    fallback: null as string | null,
    shown: 'embedded',
    sentence: 'PostgreSQL 15 or later to use instead of the embedded one.',
    secret: true,
  }),
  clickhouseUrl: setting({
    name: 'CLICKHOUSE_URL',
    parse: clickhouseUrl,
    fallback: null as string | null,
    shown: 'embedded',
    sentence:
      'ClickHouse to use instead of the embedded one: http(s)://user:password@host:8123/database.',
    secret: true,
  }),
  clickhouseEngine: setting({
    name: 'CLICKHOUSE_ENGINE',
    parse: matching(
      /^(Replicated|Shared)?MergeTree(\([^;]*\))?$/,
      'MergeTree, ReplicatedMergeTree(…) or SharedMergeTree(…)',
    ),
    fallback: 'MergeTree',
    sentence:
      "Engine clause of the click table, for example ReplicatedMergeTree('/clickhouse/{uuid}', '{replica}') on a cluster.",
  }),
  secretKey: setting({
    name: 'SECRET_KEY',
    parse: minLength(32),
    fallback: null as string | null,
    shown: 'made and kept in DATA_DIR',
    sentence:
      'Root of all derived keys, at least 32 characters; every machine of one installation needs the same. Pseudonyms of visitors derive from it: with another one every visitor counts as new.',
    secret: true,
  }),
  servicesUrl: setting({
    name: 'SERVICES_URL',
    parse: origin,
    fallback: null as string | null,
    shown: '',
    sentence:
      'With the role `gateway`: origin of the services that it forwards to, https:// across a network that others can write to.',
  }),
  internalToken: setting({
    name: 'INTERNAL_TOKEN',
    parse: minLength(32),
    fallback: null as string | null,
    shown: '',
    sentence:
      'At least 32 characters, the same for the roles `gateway` and `services`: with it the gateway proves who asks, and services answer nobody else.',
    secret: true,
  }),
  trustedProxies: setting({
    name: 'TRUSTED_PROXIES',
    parse: list,
    fallback: [] as string[],
    shown: 'none',
    sentence:
      'Proxies whose X-Forwarded-For is believed: a number of hops (1), or a comma-separated list of addresses and CIDR ranges (127.0.0.1,10.0.0.0/8).',
  }),
  clickDurability: setting({
    name: 'CLICK_DURABILITY',
    parse: oneOf('write', 'fsync'),
    fallback: 'write',
    sentence:
      'When a redirect is answered: `write`, after its click is written to the journal (survives the loss of the process), or `fsync`, after it is synced to the disk (survives the loss of power).',
  }),
  clickJournalFailure: setting({
    name: 'CLICK_JOURNAL_FAILURE',
    parse: oneOf('serve', 'refuse'),
    fallback: 'serve',
    sentence:
      'When the journal cannot be written (a full disk): `serve` redirects and count the dropped clicks, or `refuse` them with 503.',
  }),
  geoipDb: setting({
    name: 'GEOIP_DB',
    parse: (value) => resolve(value),
    fallback: null as string | null,
    shown: 'DB-IP Lite, by country',
    sentence: 'MMDB file used for countries (and regions and cities, when it has them).',
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    parse: minLength(16),
    fallback: null as string | null,
    shown: '',
    sentence:
      'Bearer token, at least 16 characters, that opens /metrics. Without a PUBLIC_URL, or with one on loopback, programs on this machine may read them without it, but not through a proxy.',
    secret: true,
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    parse: (value) => list(value).map(origin),
    fallback: [] as string[],
    shown: 'none',
    sentence: 'Comma-separated origins whose pages may call the API with credentials.',
  }),
  redisUrl: setting({
    name: 'REDIS_URL',
    parse: redisUrl,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Redis in which several processes count rate limits together: redis://user:password@host:6379/0. Without it each process counts in its own memory.',
    secret: true,
  }),
  rateLimitApi: setting({
    name: 'RATE_LIMIT_API',
    parse: integer(1, 1_000_000_000),
    fallback: 60_000,
    sentence:
      'API requests a minute per key or signed-in person; a plan or a workspace may have another number.',
  }),
  rateLimitAuth: setting({
    name: 'RATE_LIMIT_AUTH',
    parse: integer(1, 1_000_000_000),
    fallback: 10,
    sentence:
      'Requests a minute per client address (IPv6: per /64) to each door that guesses could be made at: sign-in, sign-up, codes, links of mails.',
  }),
  rateLimitIngestion: setting({
    name: 'RATE_LIMIT_INGESTION',
    parse: integer(1, 1_000_000_000),
    fallback: 100,
    sentence: 'Conversion requests a second per key.',
  }),
  rateLimitPreview: setting({
    name: 'RATE_LIMIT_PREVIEW',
    parse: integer(1, 1_000_000_000),
    fallback: 30,
    sentence: 'Link previews a minute per key or signed-in person.',
  }),
  smtpUrl: setting({
    name: 'SMTP_URL',
    parse: smtpUrl,
    fallback: null as string | null,
    shown: 'none: mails become files in DATA_DIR/outbox',
    sentence:
      'Mail server: smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte. Passwords are sent over TLS only, except to this machine.',
    secret: true,
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    parse: matching(
      /^("?[^"<>@,;:\p{Cc}]*"?\s*<[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,190}>|[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,190})$/u,
      'one address such as Signpost <signpost@example.com>',
    ),
    fallback: null as string | null,
    shown: 'Signpost <signpost@host of PUBLIC_URL>',
    sentence: 'Sender of all mails.',
  }),
  signup: setting({
    name: 'SIGNUP',
    parse: oneOf('open', 'invite', 'closed'),
    fallback: 'open' as 'open' | 'invite' | 'closed',
    sentence:
      'Who may make an account: anybody (`open`), people with an invitation (`invite`), or nobody (`closed`).',
  }),
  maxWorkspacesPerUser: setting({
    name: 'MAX_WORKSPACES_PER_USER',
    parse: integer(1, 1_000_000),
    fallback: 100,
    sentence:
      'Workspaces that one person may own; who owns as many makes no more. The command line is not bound.',
  }),
  requireEmailVerification: setting({
    name: 'REQUIRE_EMAIL_VERIFICATION',
    parse: boolean,
    fallback: true as boolean,
    sentence: 'Whether an address must be confirmed before its account can sign in: true or false.',
  }),
  bootstrapEmail: setting({
    name: 'BOOTSTRAP_EMAIL',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Address of an account that is made at the start when there is none: verified, and the owner of a workspace.',
  }),
  bootstrapPassword: setting({
    name: 'BOOTSTRAP_PASSWORD',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Password that the account of BOOTSTRAP_EMAIL gets when it has none.',
    secret: true,
  }),
  bootstrapApiKey: setting({
    name: 'BOOTSTRAP_API_KEY',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence:
      'API key of the account of BOOTSTRAP_EMAIL, named `bootstrap`: one that an earlier bootstrap printed. Another value replaces it at the next start.',
    secret: true,
  }),
  egressAllowedCidrs: setting({
    name: 'EGRESS_ALLOWED_CIDRS',
    parse: cidrs,
    fallback: [] as string[],
    shown: 'none',
    sentence:
      'Private addresses and ranges that webhooks and link previews may call (10.1.0.0/16,192.168.7.9); by default only the public internet. Metadata addresses of clouds stay closed.',
  }),
  webhookAllowHttp: setting({
    name: 'WEBHOOK_ALLOW_HTTP',
    parse: boolean,
    fallback: false as boolean,
    sentence: 'Whether webhook endpoints may have http:// URLs, for development.',
  }),
  webhookRetrySchedule: setting({
    name: 'WEBHOOK_RETRY_SCHEDULE',
    parse: delays(5),
    fallback: [30, 120, 600, 1_800, 3_600] as number[],
    shown: '30s,2m,10m,30m,1h',
    sentence:
      'Five delays, each after the failed attempt of its number: a number and ms, s, m or h. With five attempts in all, the fifth is never waited for.',
  }),
  webhookRetentionDays: setting({
    name: 'WEBHOOK_RETENTION_DAYS',
    parse: integer(2, 3_650),
    fallback: 30,
    sentence:
      'Days that events and the delivery log are kept; what is queued, and the event of a dead letter in the log, stays longer.',
  }),
  webhookMaxEndpoints: setting({
    name: 'WEBHOOK_MAX_ENDPOINTS',
    parse: integer(1, 10_000),
    fallback: 100,
    sentence: 'Webhook endpoints that one workspace may have, whatever its plan says.',
  }),
  webhookCallsPerMinute: setting({
    name: 'WEBHOOK_CALLS_PER_MINUTE',
    parse: integer(1, 1_000_000_000),
    fallback: 600,
    sentence:
      'Tests, dispatches, retries and replays a minute per workspace, together; a call that queues more than 100 deliveries counts as one for each hundred, and a dispatch that causes more than 1 MiB as one for each MiB.',
  }),
  webhookMaxFanoutBytes: setting({
    name: 'WEBHOOK_MAX_FANOUT_BYTES',
    parse: integer(1, 1_000_000_000_000),
    fallback: 16 * 1024 * 1024,
    sentence:
      'Bytes that one dispatch may cause: those of its payload times the endpoints that it addresses.',
  }),
  webhookHostRate: setting({
    name: 'WEBHOOK_HOST_RATE',
    parse: integer(1, 1_000_000),
    fallback: 100,
    sentence:
      'Webhook deliveries a second to one host and port, and to one address and port whatever names lead there, from each process that delivers; what is beyond waits.',
  }),
  dnsServers: setting({
    name: 'DNS_SERVERS',
    parse: (value) => list(value).map(dnsServer),
    fallback: [] as string[],
    shown: "the machine's",
    sentence:
      'Name servers that webhooks and link previews ask, each an address and perhaps a port (10.0.0.2,[2001:db8::53]:5353). /etc/hosts is not read.',
  }),
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    parse: issuer,
    fallback: null as string | null,
    shown: '',
    sentence:
      'OpenID Connect provider that people may sign in with: https, or http on loopback. Its callback address is {PUBLIC_URL}/v1/auth/callback/oidc.',
  }),
  oidcClientId: setting({
    name: 'OIDC_CLIENT_ID',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Client id at OIDC_ISSUER.',
  }),
  oidcClientSecret: setting({
    name: 'OIDC_CLIENT_SECRET',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Client secret at OIDC_ISSUER.',
    secret: true,
  }),
  oidcName: setting({
    name: 'OIDC_NAME',
    parse: text,
    fallback: 'Single sign-on',
    sentence: 'What the provider of OIDC_ISSUER is called on the sign-in page.',
  }),
  googleClientId: setting({
    name: 'GOOGLE_CLIENT_ID',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Lets people sign in with Google; needs GOOGLE_CLIENT_SECRET. Its callback address is {PUBLIC_URL}/v1/auth/callback/google.',
  }),
  googleClientSecret: setting({
    name: 'GOOGLE_CLIENT_SECRET',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Client secret of GOOGLE_CLIENT_ID.',
    secret: true,
  }),
  githubClientId: setting({
    name: 'GITHUB_CLIENT_ID',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Lets people sign in with GitHub; needs GITHUB_CLIENT_SECRET. Its callback address is {PUBLIC_URL}/v1/auth/callback/github.',
  }),
  githubClientSecret: setting({
    name: 'GITHUB_CLIENT_SECRET',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Client secret of GITHUB_CLIENT_ID.',
    secret: true,
  }),
  microsoftClientId: setting({
    name: 'MICROSOFT_CLIENT_ID',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence:
      'Lets people sign in with Microsoft; needs MICROSOFT_CLIENT_SECRET. Its callback address is {PUBLIC_URL}/v1/auth/callback/microsoft.',
  }),
  microsoftClientSecret: setting({
    name: 'MICROSOFT_CLIENT_SECRET',
    parse: text,
    fallback: null as string | null,
    shown: '',
    sentence: 'Client secret of MICROSOFT_CLIENT_ID.',
    secret: true,
  }),
  microsoftTenant: setting({
    name: 'MICROSOFT_TENANT',
    parse: matching(
      /^[A-Za-z0-9.-]+$/,
      'a tenant id, a domain, common, organizations or consumers',
    ),
    fallback: 'common',
    sentence:
      'Tenant whose accounts may sign in with Microsoft. Addresses of one tenant of your own count as verified; those of common, organizations and consumers only when Microsoft says so (the optional claim xms_edov).',
  }),
  plansFile: setting({
    name: 'PLANS_FILE',
    parse: (value) => resolve(value),
    fallback: null as string | null,
    shown: 'built-in plans',
    sentence:
      'JSON file with the plans of this installation: limits, capabilities, prices (docs/plans.md).',
  }),
  defaultPlan: setting({
    name: 'DEFAULT_PLAN',
    parse: matching(/^[a-z][a-z0-9_]{0,39}$/, 'the id of a plan'),
    fallback: 'self_hosted',
    sentence:
      'Plan that new workspaces get, and that a workspace has again when its subscription ends.',
  }),
  stripeSecretKey: setting({
    name: 'STRIPE_SECRET_KEY',
    parse: matching(/^(sk|rk)_(test|live)_\w+$/, 'a secret or restricted key of Stripe'),
    fallback: null as string | null,
    shown: '',
    sentence: 'Sells plans through Stripe; needs STRIPE_WEBHOOK_SECRET (docs/plans.md).',
    secret: true,
  }),
  stripeWebhookSecret: setting({
    name: 'STRIPE_WEBHOOK_SECRET',
    parse: matching(/^whsec_\S+$/, 'a signing secret such as whsec_…'),
    fallback: null as string | null,
    shown: '',
    sentence:
      'Signing secret of the Stripe event destination at {PUBLIC_URL}/billing/events/stripe.',
    secret: true,
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    parse: oneOf('debug', 'info', 'warn', 'error', 'silent'),
    fallback: 'info',
    sentence: 'Lowest level of log line that is written: debug, info, warn, error or silent.',
  }),
} as const

export type Config = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback']
}

/** The environment of the process, completed by a `.env` file in the working directory. */
export function readEnvironment(): Record<string, string | undefined> {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return process.env
}

/**
 * Reads every setting; an empty value counts as absent.
 * @throws OperatorError naming the first variable that does not parse.
 */
export function readConfig(env: Record<string, string | undefined>): Config {
  const entries = Object.entries(SETTINGS).map(([key, row]) => {
    const raw = env[row.name]?.trim()
    if (!raw) return [key, row.fallback]
    try {
      return [key, row.parse(raw)]
    } catch (error) {
      throw new OperatorError(`${row.name} must be ${(error as Error).message}.`)
    }
  })
  return Object.fromEntries(entries) as Config
}
