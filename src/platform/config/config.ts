import { OperatorError } from '../core/errors.ts'
import { AVAILABILITY } from './availability.ts'
import { readEnvFile } from './checkout.ts'
import {
  optional,
  secret,
  setting,
  boolean,
  cidrs,
  clickhouseUrl,
  delays,
  dnsServer,
  headerName,
  hostname,
  integer,
  ipAddresses,
  issuer,
  list,
  listOf,
  matching,
  minLength,
  oneOf,
  origin,
  path,
  pooledUrl,
  postgresUrl,
  redisUrl,
  smtpUrl,
  text,
} from './values.ts'

const COMPAT_APIS = ['yourls', 'shlink', 'kutt', 'dub'] as const

/**
 * These tables are all that reads the environment. `.env.example` and `docs/configuration.md` are generated from
 * them.
 */
const SERVER = {
  role: setting(
    'SIGNPOST_ROLE',
    oneOf('all', 'edge', 'gateway', 'services', 'worker'),
    'all',
    'What this process does: `all`, or on several machines one of `edge`, `gateway`, `services`, `worker` (docs/operations.md). `--role=NAME` overrides it.',
  ),
  port: setting('PORT', integer(0, 65_535), 3000, 'Port to listen on; 0 takes a free one.'),
  host: setting(
    'HOST',
    text,
    '127.0.0.1',
    'Address to listen on. By default only programs on this machine reach the server (127.0.0.1 and ::1); 0.0.0.0 or :: opens it to the network.',
  ),
  dataDir: setting(
    'DATA_DIR',
    path,
    path('data'),
    'Directory of the databases, the click journal and the secret key. A relative path starts at the folder of Signpost.',
    './data',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    origin,
    'Address at which users reach this server, such as https://links.example.com. Requests for other hosts then get a 404, except from loopback and for the health paths.',
  ),
  shortUrl: optional(
    'SHORT_URL',
    origin,
    'Address of short links, if it differs from PUBLIC_URL: https://go.example.com.',
    'PUBLIC_URL',
  ),
  databaseUrl: secret(
    'DATABASE_URL',
    postgresUrl,
    'PostgreSQL 15 or later to use instead of the embedded one.',
    'embedded',
  ),
  databasePoolUrl: secret(
    'DATABASE_POOL_URL',
    pooledUrl,
    'PgBouncer in transaction mode in front of the PostgreSQL of DATABASE_URL: postgres://user:password@host:6432/{role}, with {role} instead of the database (docs/operations.md). DATABASE_URL itself then serves only migrations, LISTEN and long reads.',
  ),
  clickhouseUrl: secret(
    'CLICKHOUSE_URL',
    clickhouseUrl,
    'ClickHouse to use instead of the embedded one: http(s)://user:password@host:8123/database.',
    'embedded',
  ),
  clickhouseEngine: setting(
    'CLICKHOUSE_ENGINE',
    matching(
      /^(Replicated|Shared)?MergeTree(\([^;]*\))?$/,
      'MergeTree, ReplicatedMergeTree(…) or SharedMergeTree(…)',
    ),
    'MergeTree',
    "Engine clause of the click table, for example ReplicatedMergeTree('/clickhouse/{uuid}', '{replica}') on a cluster.",
  ),
  clickhouseCluster: optional(
    'CLICKHOUSE_CLUSTER',
    matching(/^[\w.{}-]{1,64}$/, 'the name of a cluster'),
    'Name of the cluster of the ClickHouse of CLICKHOUSE_URL, as in its `system.clusters`. Tables are created on all of its replicas, and a click counts as missing only if no replica has it. Needs a replicated CLICKHOUSE_ENGINE.',
  ),
  secretKey: secret(
    'SECRET_KEY',
    minLength(32),
    'Key that encrypts stored secrets and makes the pseudonyms of visitors: at least 32 characters, the same on every machine of an installation. With another key, stored secrets cannot be read and every visitor counts as new.',
    'generated and kept in DATA_DIR',
  ),
  secretKeyAlso: secret(
    'SECRET_KEY_ALSO',
    minLength(32),
    'A second key whose secrets can be read too. Set it on every machine while you replace SECRET_KEY (docs/operations.md).',
  ),
  upgradeBackup: setting(
    'UPGRADE_BACKUP',
    boolean,
    true as boolean,
    'Whether to back up the embedded databases to `DATA_DIR/backups` before a new version migrates them. The two newest backups are kept.',
  ),
  servicesUrl: optional(
    'SERVICES_URL',
    origin,
    'Address of the services, for the role `gateway`. Use https:// across a network that others can listen on.',
  ),
  internalToken: secret(
    'INTERNAL_TOKEN',
    minLength(32),
    "Secret of at least 32 characters, the same for the roles `gateway` and `services`. The gateway signs the caller's identity with it; the services refuse requests without that signature.",
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list,
    [] as string[],
    'Proxies whose X-Forwarded-For is believed: how many there are (1), or a comma-separated list of their addresses and CIDR ranges (127.0.0.1,10.0.0.0/8).',
    'none',
  ),
  countryHeader: optional(
    'COUNTRY_HEADER',
    headerName,
    "Header in which a proxy of TRUSTED_PROXIES names the client's country, such as CF-IPCountry. It overrides the geo database, which still adds region and city.",
  ),
  clickDurability: setting(
    'CLICK_DURABILITY',
    oneOf('write', 'fsync'),
    'write',
    'What a redirect waits for: `write`, until its click is written to the journal (survives a killed process), or `fsync`, until the click is on the disk (survives a loss of power).',
  ),
  clickJournalFailure: setting(
    'CLICK_JOURNAL_FAILURE',
    oneOf('serve', 'refuse'),
    'serve',
    'What to do when the journal cannot be written, as on a full disk: `serve` redirects and count the dropped clicks, or `refuse` redirects with 503.',
  ),
  clickRetentionDays: setting(
    'CLICK_RETENTION_DAYS',
    integer(31, 36_500),
    365,
    'Days for which single clicks are kept. Older months are replaced by counts per day, link and label, which are kept as long as the workspace.',
  ),
  geoipDb: optional(
    'GEOIP_DB',
    path,
    'MMDB file that maps addresses to countries and, if it has them, to regions and cities.',
    'DB-IP Lite, by country',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    minLength(16),
    'Bearer token for /metrics, at least 16 characters. While PUBLIC_URL is not set or on loopback, programs on this machine may read the metrics without it, but not through a proxy.',
  ),
  corsOrigins: setting(
    'CORS_ORIGINS',
    (value) => list(value).map(origin),
    [] as string[],
    'Comma-separated origins whose pages may call the API with credentials.',
    'none',
  ),
  compat: setting(
    'COMPAT',
    (value) => (value.trim() === 'none' ? [] : listOf(...COMPAT_APIS)(value)),
    [...COMPAT_APIS] as (typeof COMPAT_APIS)[number][],
    `Comma-separated APIs of other shorteners that this server answers: ${COMPAT_APIS.join(', ')}; or none.`,
    'all',
  ),
  redisUrl: secret(
    'REDIS_URL',
    redisUrl,
    'Redis in which several processes count rate limits together: redis://user:password@host:6379/0. Without it each process counts in its own memory.',
  ),
  rateLimitApi: setting(
    'RATE_LIMIT_API',
    integer(1, 1_000_000_000),
    60_000,
    'API requests per minute of an API key or a signed-in user. A plan or a workspace can have another number.',
  ),
  rateLimitAuth: setting(
    'RATE_LIMIT_AUTH',
    integer(1, 1_000_000_000),
    10,
    'Requests per minute from a client address (IPv6: a /64) to each route where passwords, codes or tokens could be guessed: sign-in, sign-up, codes, links in mails.',
  ),
  rateLimitIngestion: setting(
    'RATE_LIMIT_INGESTION',
    integer(1, 1_000_000_000),
    100,
    'Conversion requests per second of an API key or a signed-in user.',
  ),
  rateLimitPreview: setting(
    'RATE_LIMIT_PREVIEW',
    integer(1, 1_000_000_000),
    30,
    'Link previews per minute of an API key or a signed-in user.',
  ),
  idempotencyKeysPerDay: setting(
    'IDEMPOTENCY_KEYS_PER_DAY',
    integer(1, 1_000_000_000),
    1_000_000,
    'Requests with a new Idempotency-Key per workspace and 24 hours. Answers are kept for 24 hours; a large one counts once for each 4 KiB.',
  ),
}

const ACCOUNTS = {
  smtpUrl: secret(
    'SMTP_URL',
    smtpUrl,
    'Mail server: smtp://user:password@mail.example.com:587, or smtps:// if it expects TLS from the first byte. Passwords are sent only over TLS, except to this machine.',
    'none: mails are files in DATA_DIR/outbox',
  ),
  mailFrom: optional(
    'MAIL_FROM',
    matching(
      /^("?[^"<>@,;:\p{Cc}]*"?\s*<[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,190}>|[^\s@<>(),;:"\\\p{Cc}]{1,64}@[^\s@<>(),;:"\\\p{Cc}]{1,190})$/u,
      'one address such as Signpost <signpost@example.com>',
    ),
    'Sender of all mails.',
    'Signpost <signpost@host of PUBLIC_URL>',
  ),
  signup: setting(
    'SIGNUP',
    oneOf('open', 'invite', 'closed'),
    'open' as 'open' | 'invite' | 'closed',
    'Who can create an account: every visitor (`open`), users with an invitation (`invite`), or only the operator (`closed`).',
  ),
  maxWorkspacesPerUser: setting(
    'MAX_WORKSPACES_PER_USER',
    integer(1, 1_000_000),
    100,
    'Workspaces that a user can own. Commands of the operator are not limited.',
  ),
  requireEmailVerification: setting(
    'REQUIRE_EMAIL_VERIFICATION',
    boolean,
    true as boolean,
    'Whether users must confirm their address before the first sign-in: true or false.',
  ),
  bootstrapEmail: optional(
    'BOOTSTRAP_EMAIL',
    text,
    'E-mail address of an account that the start creates if it does not exist: verified, and owner of a workspace.',
  ),
  bootstrapPassword: secret(
    'BOOTSTRAP_PASSWORD',
    text,
    'Password of the account of BOOTSTRAP_EMAIL; ignored if it has one already.',
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    text,
    'API key of the account of BOOTSTRAP_EMAIL, named `bootstrap`. Use one that the command `bootstrap` printed. Another value replaces the key at the next start.',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    issuer,
    'Issuer of an OpenID Connect provider to sign in with: https, or http on loopback. Register the callback address {PUBLIC_URL}/v1/auth/callback/oidc there.',
  ),
  oidcClientId: optional('OIDC_CLIENT_ID', text, 'Client id at OIDC_ISSUER.'),
  oidcClientSecret: secret('OIDC_CLIENT_SECRET', text, 'Client secret at OIDC_ISSUER.'),
  oidcName: setting(
    'OIDC_NAME',
    text,
    'Single sign-on',
    'Name of that provider on the sign-in page.',
  ),
  googleClientId: optional(
    'GOOGLE_CLIENT_ID',
    text,
    'Client id for sign-in with Google; needs GOOGLE_CLIENT_SECRET. Register the callback address {PUBLIC_URL}/v1/auth/callback/google there.',
  ),
  googleClientSecret: secret('GOOGLE_CLIENT_SECRET', text, 'Client secret of GOOGLE_CLIENT_ID.'),
  githubClientId: optional(
    'GITHUB_CLIENT_ID',
    text,
    'Client id for sign-in with GitHub; needs GITHUB_CLIENT_SECRET. Register the callback address {PUBLIC_URL}/v1/auth/callback/github there.',
  ),
  githubClientSecret: secret('GITHUB_CLIENT_SECRET', text, 'Client secret of GITHUB_CLIENT_ID.'),
  microsoftClientId: optional(
    'MICROSOFT_CLIENT_ID',
    text,
    'Client id for sign-in with Microsoft; needs MICROSOFT_CLIENT_SECRET. Register the callback address {PUBLIC_URL}/v1/auth/callback/microsoft there.',
  ),
  microsoftClientSecret: secret(
    'MICROSOFT_CLIENT_SECRET',
    text,
    'Client secret of MICROSOFT_CLIENT_ID.',
  ),
  microsoftTenant: setting(
    'MICROSOFT_TENANT',
    matching(/^[A-Za-z0-9.-]+$/, 'a tenant id, a domain, common, organizations or consumers'),
    'common',
    'Tenant whose accounts can sign in with Microsoft. The addresses of a single tenant count as verified; with common, organizations or consumers, only those that Microsoft marks as verified (the optional claim xms_edov).',
  ),
}

const WEBHOOKS = {
  egressAllowedCidrs: setting(
    'EGRESS_ALLOWED_CIDRS',
    cidrs,
    [] as string[],
    'Private addresses and ranges that webhooks and link previews may call, besides the public internet: 10.1.0.0/16,192.168.7.9. Metadata addresses of clouds are never called.',
    'none',
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    boolean,
    false as boolean,
    'Whether webhook endpoints can have http:// URLs, for development.',
  ),
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    delays(5),
    [30, 120, 600, 1_800, 3_600] as number[],
    'How long to wait after each failed attempt: five delays, each a number with ms, s, m or h. A delivery has five attempts, so the last delay is not used.',
    '30s,2m,10m,30m,1h',
  ),
  webhookRetentionDays: setting(
    'WEBHOOK_RETENTION_DAYS',
    integer(2, 3_650),
    30,
    'Days for which events and the delivery log are kept. Queued deliveries, and events whose deliveries have run out of attempts, are kept longer.',
  ),
  webhookMaxEndpoints: setting(
    'WEBHOOK_MAX_ENDPOINTS',
    integer(1, 10_000),
    100,
    'Webhook endpoints that a workspace can have, whatever its plan says.',
  ),
  deferredMatchesPerDay: setting(
    'DEFERRED_MATCHES_PER_DAY',
    integer(1, 10_000_000),
    100_000,
    'Deferred deep links that a workspace can resolve in 24 hours.',
  ),
  webhookCallsPerMinute: setting(
    'WEBHOOK_CALLS_PER_MINUTE',
    integer(1, 1_000_000_000),
    600,
    'Tests, dispatches, retries and replays of webhooks per minute of a workspace. A call counts once for each 100 deliveries that it queues, and a dispatch once for each MiB that it sends.',
  ),
  webhookMaxFanoutBytes: setting(
    'WEBHOOK_MAX_FANOUT_BYTES',
    integer(1, 1_000_000_000_000),
    16 * 1024 * 1024,
    'Bytes that one dispatch can send: the size of its payload times the number of its endpoints.',
  ),
  webhookHostRate: setting(
    'WEBHOOK_HOST_RATE',
    integer(1, 1_000_000),
    100,
    'Webhook deliveries per second from each worker process to one host and port, and to one address and port whatever its names. Further deliveries wait.',
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    (value) => list(value).map(dnsServer),
    [] as string[],
    'Name servers for webhooks, link previews and branded domains: addresses with optional ports, such as 10.0.0.2,[2001:db8::53]:5353. /etc/hosts is not read.',
    "the machine's",
  ),
}

const DOMAINS = {
  cnameTarget: optional(
    'CNAME_TARGET',
    hostname,
    'Host name that the CNAME records of branded domains point to. It must resolve to the edges (docs/domains.md).',
    'the host of SHORT_URL or PUBLIC_URL',
  ),
  domainAddresses: setting(
    'DOMAIN_ADDRESSES',
    ipAddresses,
    [] as string[],
    'Addresses of the edges, such as 192.0.2.1,2001:db8::1, for branded domains that need A and AAAA records instead of a CNAME record.',
    'the addresses of CNAME_TARGET',
  ),
}

const CERTIFICATES = {
  httpsPort: setting(
    'HTTPS_PORT',
    integer(1, 65_535) as (value: string) => number | null,
    null as number | null,
    'Port for https, with certificates that the server orders itself (docs/operations.md). Needs ACME_AGREE_TOS=true. Visitors and the certificate authority must reach it as port 443, and PORT as port 80.',
    'none',
  ),
  acmeDirectory: setting(
    'ACME_DIRECTORY',
    issuer,
    'https://acme-v02.api.letsencrypt.org/directory' as string,
    'Directory of the certificate authority (ACME). Try https://acme-staging-v02.api.letsencrypt.org/directory first: its limits are generous.',
  ),
  acmeEmail: optional(
    'ACME_EMAIL',
    matching(/^[^\s@<>,]{1,64}@[^\s@<>,]{1,190}$/, 'an address such as operator@example.com'),
    'Your e-mail address, for the certificate authority.',
  ),
  acmeChallenges: setting(
    'ACME_CHALLENGES',
    listOf('http-01', 'tls-alpn-01'),
    ['http-01', 'tls-alpn-01'] as ('http-01' | 'tls-alpn-01')[],
    'How the certificate authority checks a host, in order of preference: on port 80 (http-01) or port 443 (tls-alpn-01). After a failed check the next attempt uses the other one.',
    'http-01,tls-alpn-01',
  ),
  acmeAgreeTos: setting(
    'ACME_AGREE_TOS',
    boolean,
    false as boolean,
    'Whether you agree to the terms of service of the certificate authority: true or false.',
  ),
}

const PLANS = {
  plansFile: optional(
    'PLANS_FILE',
    path,
    'JSON file with your plans: limits, capabilities and prices (docs/plans.md).',
    'built-in plans',
  ),
  defaultPlan: setting(
    'DEFAULT_PLAN',
    matching(/^[a-z][a-z0-9_]{0,39}$/, 'the id of a plan'),
    'self_hosted',
    'Plan of new workspaces, and of workspaces whose subscription has ended.',
  ),
  stripeSecretKey: secret(
    'STRIPE_SECRET_KEY',
    matching(/^(sk|rk)_(test|live)_\w+$/, 'a secret or restricted key of Stripe'),
    'Secret or restricted key of Stripe, to sell plans; needs STRIPE_WEBHOOK_SECRET (docs/plans.md).',
  ),
  stripeWebhookSecret: secret(
    'STRIPE_WEBHOOK_SECRET',
    matching(/^whsec_\S+$/, 'a signing secret such as whsec_…'),
    'Signing secret of the Stripe event destination at {PUBLIC_URL}/billing/events/stripe.',
  ),
}

export const SETTINGS = {
  ...SERVER,
  ...AVAILABILITY,
  ...ACCOUNTS,
  ...WEBHOOKS,
  ...DOMAINS,
  ...CERTIFICATES,
  ...PLANS,
  logLevel: setting(
    'LOG_LEVEL',
    oneOf('debug', 'info', 'warn', 'error', 'silent'),
    'info',
    'The least severe log lines to write: debug, info, warn, error or silent (none).',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf('text', 'json') as (value: string) => 'text' | 'json' | null,
    null as 'text' | 'json' | null,
    'Format of the log: `text` or `json`. Colors appear only on a terminal, and not with NO_COLOR.',
    'text on a terminal, else json',
  ),
} as const

export type Config = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K]['fallback']
}

export function readEnvironment(): Record<string, string | undefined> {
  for (const [name, value] of Object.entries(readEnvFile())) process.env[name] ??= value
  return process.env
}

/** An empty value counts as absent. */
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
