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

/** The only readers of the environment. `.env.example` and `docs/configuration.md` are generated from these tables. */
const SERVER = {
  role: setting(
    'SIGNPOST_ROLE',
    oneOf('all', 'edge', 'gateway', 'services', 'worker'),
    'all',
    'Part of an installation that this process runs: `all`, or one of `edge`, `gateway`, `services`, `worker` where several processes share the work (docs/operations.md). `--role=NAME` overrides it.',
  ),
  port: setting('PORT', integer(0, 65_535), 3000, 'Port to listen on; 0 takes a free one.'),
  host: setting(
    'HOST',
    text,
    '127.0.0.1',
    'Address to listen on. The default is loopback only, with ::1; 0.0.0.0 or :: opens the server to the network.',
  ),
  dataDir: setting(
    'DATA_DIR',
    path,
    path('data'),
    'Directory of the databases, the click journal and the secret key. A relative path begins in the folder of Signpost.',
    './data',
  ),
  publicUrl: optional(
    'PUBLIC_URL',
    origin,
    'Origin under which users reach this server (https://links.example.com). When it is set, requests for other hosts get a 404; loopback and the health paths stay open.',
  ),
  shortUrl: optional(
    'SHORT_URL',
    origin,
    'Origin of short links, if it differs from PUBLIC_URL.',
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
    'PgBouncer in transaction mode before the PostgreSQL of DATABASE_URL, which then serves only migrations, LISTEN and long reads: postgres://user:password@host:6432/{role}, with {role} in the place of the database (docs/operations.md).',
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
    'Cluster of replicas that the ClickHouse of CLICKHOUSE_URL belongs to, as in its `system.clusters`: tables are made on all of them, and clicks count as missing only if none of them has them. CLICKHOUSE_ENGINE must be a replicated one.',
  ),
  secretKey: secret(
    'SECRET_KEY',
    minLength(32),
    'Root of all derived keys, at least 32 characters, the same on every machine of one installation. The pseudonyms of visitors derive from it: under another key every visitor counts as new.',
    'generated and kept in DATA_DIR',
  ),
  secretKeyAlso: secret(
    'SECRET_KEY_ALSO',
    minLength(32),
    'A second key that opens what it sealed; set it on every machine while SECRET_KEY is being replaced (docs/operations.md).',
  ),
  upgradeBackup: setting(
    'UPGRADE_BACKUP',
    boolean,
    true as boolean,
    'Back up the embedded databases to `DATA_DIR/backups` before migrations of a new version change them; the two newest are kept.',
  ),
  servicesUrl: optional(
    'SERVICES_URL',
    origin,
    'With the role `gateway`: origin of the services that it forwards to. Use https:// across a network that others can write to.',
  ),
  internalToken: secret(
    'INTERNAL_TOKEN',
    minLength(32),
    'At least 32 characters, the same for the roles `gateway` and `services`: the gateway proves the identity of a caller with it, and the services refuse requests without it.',
  ),
  trustedProxies: setting(
    'TRUSTED_PROXIES',
    list,
    [] as string[],
    'Proxies whose X-Forwarded-For is used: a number of hops (1), or a comma-separated list of addresses and CIDR ranges (127.0.0.1,10.0.0.0/8).',
    'none',
  ),
  countryHeader: optional(
    'COUNTRY_HEADER',
    headerName,
    'Header in which a proxy of TRUSTED_PROXIES names the country of the client, such as CF-IPCountry. For clicks it is preferred to the geo database, which fills in what the header does not say.',
  ),
  clickDurability: setting(
    'CLICK_DURABILITY',
    oneOf('write', 'fsync'),
    'write',
    'When a redirect is answered: `write`, after its click is written to the journal (survives the loss of the process), or `fsync`, after the click is synced to the disk (survives the loss of power).',
  ),
  clickJournalFailure: setting(
    'CLICK_JOURNAL_FAILURE',
    oneOf('serve', 'refuse'),
    'serve',
    'When the journal cannot be written (a full disk): `serve` redirects and count the dropped clicks, or `refuse` them with 503.',
  ),
  clickRetentionDays: setting(
    'CLICK_RETENTION_DAYS',
    integer(31, 36_500),
    365,
    'Days that each click is kept. Months that ended before are replaced by counts per day, link and label, which are kept forever.',
  ),
  geoipDb: optional(
    'GEOIP_DB',
    path,
    'MMDB file for countries, and for regions and cities if it has them.',
    'DB-IP Lite, by country',
  ),
  metricsToken: secret(
    'METRICS_TOKEN',
    minLength(16),
    'Bearer token for /metrics, at least 16 characters. Without a PUBLIC_URL, or with one on loopback, programs on this machine may read the metrics without a token, except through a proxy.',
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
    'Redis that counts the rate limits of several processes together: redis://user:password@host:6379/0. Without it each process counts in its own memory.',
  ),
  rateLimitApi: setting(
    'RATE_LIMIT_API',
    integer(1, 1_000_000_000),
    60_000,
    'API requests per minute of a key or signed-in user; a plan or a workspace may have another number.',
  ),
  rateLimitAuth: setting(
    'RATE_LIMIT_AUTH',
    integer(1, 1_000_000_000),
    10,
    'Requests per minute of a client address (IPv6: of a /64) to each route where passwords, codes or tokens could be guessed: sign-in, sign-up, codes, links in mails.',
  ),
  rateLimitIngestion: setting(
    'RATE_LIMIT_INGESTION',
    integer(1, 1_000_000_000),
    100,
    'Conversion requests per second of a key.',
  ),
  rateLimitPreview: setting(
    'RATE_LIMIT_PREVIEW',
    integer(1, 1_000_000_000),
    30,
    'Link previews per minute of a key or signed-in user.',
  ),
  idempotencyKeysPerDay: setting(
    'IDEMPOTENCY_KEYS_PER_DAY',
    integer(1, 1_000_000_000),
    1_000_000,
    'Requests with a new Idempotency-Key per workspace in 24 hours; a large answer counts once for each 4 KiB. Answers are kept for 24 hours.',
  ),
}

const ACCOUNTS = {
  smtpUrl: secret(
    'SMTP_URL',
    smtpUrl,
    'Mail server: smtp://user:password@mail.example.com:587, or smtps:// for TLS from the first byte. Passwords are sent over TLS only, except to this machine.',
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
    'Who may create an account: every visitor (`open`), users with an invitation (`invite`), or only the operator (`closed`).',
  ),
  maxWorkspacesPerUser: setting(
    'MAX_WORKSPACES_PER_USER',
    integer(1, 1_000_000),
    100,
    'Workspaces that one user may own. The limit does not apply to the command line.',
  ),
  requireEmailVerification: setting(
    'REQUIRE_EMAIL_VERIFICATION',
    boolean,
    true as boolean,
    'Whether a user must confirm the address before the first sign-in: true or false.',
  ),
  bootstrapEmail: optional(
    'BOOTSTRAP_EMAIL',
    text,
    'Address of an account that the start creates if it is missing: verified, and owner of a workspace.',
  ),
  bootstrapPassword: secret(
    'BOOTSTRAP_PASSWORD',
    text,
    'Password for the account of BOOTSTRAP_EMAIL, set if the account has none.',
  ),
  bootstrapApiKey: secret(
    'BOOTSTRAP_API_KEY',
    text,
    'API key, named `bootstrap`, of the account of BOOTSTRAP_EMAIL: one that an earlier bootstrap printed. Another value replaces the key at the next start.',
  ),
  oidcIssuer: optional(
    'OIDC_ISSUER',
    issuer,
    'OpenID Connect provider for sign-in: https, or http on loopback. Its callback address is {PUBLIC_URL}/v1/auth/callback/oidc.',
  ),
  oidcClientId: optional('OIDC_CLIENT_ID', text, 'Client id at OIDC_ISSUER.'),
  oidcClientSecret: secret('OIDC_CLIENT_SECRET', text, 'Client secret at OIDC_ISSUER.'),
  oidcName: setting(
    'OIDC_NAME',
    text,
    'Single sign-on',
    'Name of the provider of OIDC_ISSUER on the sign-in page.',
  ),
  googleClientId: optional(
    'GOOGLE_CLIENT_ID',
    text,
    'Enables sign-in with Google; needs GOOGLE_CLIENT_SECRET. The callback address is {PUBLIC_URL}/v1/auth/callback/google.',
  ),
  googleClientSecret: secret('GOOGLE_CLIENT_SECRET', text, 'Client secret of GOOGLE_CLIENT_ID.'),
  githubClientId: optional(
    'GITHUB_CLIENT_ID',
    text,
    'Enables sign-in with GitHub; needs GITHUB_CLIENT_SECRET. The callback address is {PUBLIC_URL}/v1/auth/callback/github.',
  ),
  githubClientSecret: secret('GITHUB_CLIENT_SECRET', text, 'Client secret of GITHUB_CLIENT_ID.'),
  microsoftClientId: optional(
    'MICROSOFT_CLIENT_ID',
    text,
    'Enables sign-in with Microsoft; needs MICROSOFT_CLIENT_SECRET. The callback address is {PUBLIC_URL}/v1/auth/callback/microsoft.',
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
    'Tenant whose accounts may sign in with Microsoft. Addresses of a single tenant count as verified. With common, organizations or consumers an address counts as verified only if Microsoft says so (the optional claim xms_edov).',
  ),
}

const WEBHOOKS = {
  egressAllowedCidrs: setting(
    'EGRESS_ALLOWED_CIDRS',
    cidrs,
    [] as string[],
    'Private addresses and ranges that webhooks and link previews may call (10.1.0.0/16,192.168.7.9); by default only the public internet. The metadata addresses of clouds stay closed.',
    'none',
  ),
  webhookAllowHttp: setting(
    'WEBHOOK_ALLOW_HTTP',
    boolean,
    false as boolean,
    'Whether webhook endpoints may have http:// URLs, for development.',
  ),
  webhookRetrySchedule: setting(
    'WEBHOOK_RETRY_SCHEDULE',
    delays(5),
    [30, 120, 600, 1_800, 3_600] as number[],
    'Five delays, each after the failed attempt of the same number: a number and ms, s, m or h. A delivery has five attempts in all, so the fifth delay is never used.',
    '30s,2m,10m,30m,1h',
  ),
  webhookRetentionDays: setting(
    'WEBHOOK_RETENTION_DAYS',
    integer(2, 3_650),
    30,
    'Days that events and the delivery log are kept. Queued deliveries, and the events of dead letters in the log, are kept longer.',
  ),
  webhookMaxEndpoints: setting(
    'WEBHOOK_MAX_ENDPOINTS',
    integer(1, 10_000),
    100,
    'Webhook endpoints that one workspace may have, under every plan.',
  ),
  deferredMatchesPerDay: setting(
    'DEFERRED_MATCHES_PER_DAY',
    integer(1, 10_000_000),
    100_000,
    'Clicks of a workspace that answer deferred deep links in 24 hours. Each is kept for 30 days.',
  ),
  webhookCallsPerMinute: setting(
    'WEBHOOK_CALLS_PER_MINUTE',
    integer(1, 1_000_000_000),
    600,
    'Tests, dispatches, retries and replays per minute of a workspace, together. A call that queues more than 100 deliveries counts as one for each hundred, and a dispatch that causes more than 1 MiB as one for each MiB.',
  ),
  webhookMaxFanoutBytes: setting(
    'WEBHOOK_MAX_FANOUT_BYTES',
    integer(1, 1_000_000_000_000),
    16 * 1024 * 1024,
    'Bytes that one dispatch may cause: its payload times the number of its endpoints.',
  ),
  webhookHostRate: setting(
    'WEBHOOK_HOST_RATE',
    integer(1, 1_000_000),
    100,
    'Webhook deliveries per second from each worker process to one host and port, and to one address and port under all its names. Deliveries beyond the rate wait.',
  ),
  dnsServers: setting(
    'DNS_SERVERS',
    (value) => list(value).map(dnsServer),
    [] as string[],
    'Name servers for webhooks, link previews and branded domains, each an address with an optional port (10.0.0.2,[2001:db8::53]:5353). /etc/hosts is not read.',
    "the machine's",
  ),
}

const DOMAINS = {
  cnameTarget: optional(
    'CNAME_TARGET',
    hostname,
    'Host name to which the CNAME records of branded domains point; its addresses are the addresses of the edges (docs/domains.md).',
    'the host of SHORT_URL or PUBLIC_URL',
  ),
  domainAddresses: setting(
    'DOMAIN_ADDRESSES',
    ipAddresses,
    [] as string[],
    'Addresses of the edges, for the A and AAAA records of branded domains that cannot have a CNAME record (192.0.2.1,2001:db8::1).',
    'those of CNAME_TARGET',
  ),
}

const CERTIFICATES = {
  httpsPort: setting(
    'HTTPS_PORT',
    integer(1, 65_535) as (value: string) => number | null,
    null as number | null,
    'Port on which redirects are served over https, with certificates that the server orders itself (docs/operations.md); needs ACME_AGREE_TOS=true. Visitors and the certificate authority must reach it as port 443, and PORT as port 80.',
    'none',
  ),
  acmeDirectory: setting(
    'ACME_DIRECTORY',
    issuer,
    'https://acme-v02.api.letsencrypt.org/directory' as string,
    'Directory of the certificate authority (ACME). Try https://acme-staging-v02.api.letsencrypt.org/directory first, whose limits are generous.',
  ),
  acmeEmail: optional(
    'ACME_EMAIL',
    matching(/^[^\s@<>,]{1,64}@[^\s@<>,]{1,190}$/, 'an address such as operator@example.com'),
    'Address of the operator for the certificate authority.',
  ),
  acmeChallenges: setting(
    'ACME_CHALLENGES',
    listOf('http-01', 'tls-alpn-01'),
    ['http-01', 'tls-alpn-01'] as ('http-01' | 'tls-alpn-01')[],
    'How the certificate authority validates a host, in order of preference: over port 80 (http-01) or port 443 (tls-alpn-01). After a failed validation the next attempt uses the next one.',
    'http-01,tls-alpn-01',
  ),
  acmeAgreeTos: setting(
    'ACME_AGREE_TOS',
    boolean,
    false as boolean,
    'Whether the operator agrees to the terms of service of the certificate authority: true or false.',
  ),
}

const PLANS = {
  plansFile: optional(
    'PLANS_FILE',
    path,
    'JSON file with the plans of this installation: limits, capabilities, prices (docs/plans.md).',
    'built-in plans',
  ),
  defaultPlan: setting(
    'DEFAULT_PLAN',
    matching(/^[a-z][a-z0-9_]{0,39}$/, 'the id of a plan'),
    'self_hosted',
    'Plan of new workspaces, and of a workspace whose subscription has ended.',
  ),
  stripeSecretKey: secret(
    'STRIPE_SECRET_KEY',
    matching(/^(sk|rk)_(test|live)_\w+$/, 'a secret or restricted key of Stripe'),
    'Sells plans through Stripe; needs STRIPE_WEBHOOK_SECRET (docs/plans.md).',
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
    'Lowest level of log line that is written: debug, info, warn, error or silent.',
  ),
  logFormat: setting(
    'LOG_FORMAT',
    oneOf('text', 'json') as (value: string) => 'text' | 'json' | null,
    null as 'text' | 'json' | null,
    'Lines of the log: `text` for reading, or `json`. Colors appear only on a terminal, and not with NO_COLOR.',
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
