import { OperatorError } from '../core/errors.ts'
import { SETTINGS, type Config } from './config.ts'

export type ProcessRole = Config['role']

/**
 * The parts that a process runs.
 *
 * ```
 *   visitors ─▶ edge ────▶ PostgreSQL (look-ups, NOTIFY) · own journal ─▶ ClickHouse, counters
 *   clients ──▶ gateway ─▶ services ─▶ PostgreSQL, ClickHouse        worker ─▶ both
 *                 └─ credentials: PostgreSQL
 * ```
 */
export type Parts = {
  readonly edge: boolean
  /**
   * `whole`: gateway and services in one; `forwards`: a gateway; `behind`: services that trust a gateway and check no
   * credentials.
   */
  readonly api: 'whole' | 'forwards' | 'behind' | null
  readonly worker: boolean
  readonly clickhouse: boolean
}

type PathOwner = 'api' | 'probes' | 'edge' | null

const PARTS: Record<ProcessRole, Parts> = {
  all: { edge: true, api: 'whole', worker: true, clickhouse: true },
  edge: { edge: true, api: null, worker: false, clickhouse: true },
  gateway: { edge: false, api: 'forwards', worker: false, clickhouse: false },
  services: { edge: false, api: 'behind', worker: false, clickhouse: true },
  worker: { edge: false, api: null, worker: true, clickhouse: true },
}

const API_PATH =
  /^\/(v1|mcp|app|share|billing\/events|report-abuse|llms\.txt|yourls-api\.php|rest\/(v3|health)|api\/v2|compat\/dub|\.well-known\/oauth-[a-z-]+)(?=[/?]|$)/
const SITE_PATH = /^\/(robots\.txt|favicon\.(ico|svg))(?=\?|$)/
const PROBE_PATH = /^\/(health|ready|metrics|internal\/tls-ask)(?=[/?]|$)/

export function partsOf(role: ProcessRole): Parts {
  return PARTS[role]
}

export function hasOperatorSocket(role: ProcessRole): boolean {
  const { api } = partsOf(role)
  return api === 'whole' || api === 'behind'
}

export function ownerOf(role: ProcessRole, target: string): PathOwner {
  const { edge, api } = partsOf(role)
  if (PROBE_PATH.test(target)) return 'probes'
  if (API_PATH.test(target) && api !== null) return 'api'
  if (SITE_PATH.test(target) && (edge || api !== null)) return 'api'
  return edge ? 'edge' : null
}

type Need = readonly (keyof Config)[]

/**
 * Roles share databases and keys, so only `all` may use embedded databases and a generated key. Each group needs one
 * setting.
 */
const NEEDS: Record<ProcessRole, readonly Need[]> = {
  all: [],
  edge: [['databaseUrl'], ['clickhouseUrl'], ['secretKey']],
  // The first process to start migrates both databases.
  gateway: [
    ['databaseUrl'],
    ['clickhouseUrl'],
    ['secretKey'],
    ['servicesUrl'],
    ['internalToken'],
    // Without an edge it does not know the branded hosts, on which it must not answer.
    ['publicUrl', 'shortUrl'],
  ],
  services: [
    ['databaseUrl'],
    ['clickhouseUrl'],
    ['secretKey'],
    ['internalToken'],
    // Visitors cannot reach the services directly.
    ['publicUrl', 'shortUrl'],
  ],
  worker: [['databaseUrl'], ['clickhouseUrl'], ['secretKey']],
}

export function requireForRole(config: Config): void {
  const missing = NEEDS[config.role]
    .filter((need) => need.every((setting) => config[setting] === null))
    .map((need) => need.map((setting) => SETTINGS[setting].name).join(' or '))
  if (missing.length === 0) return
  throw new OperatorError(`The role ${config.role} needs ${listed(missing)}.`)
}

function listed(names: readonly string[]): string {
  return names.length === 1 ? names[0]! : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
}

export function localOrigin({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${loopbackName(host)}:${port}`
}

/** Services answer on this port, since PUBLIC_URL leads to the gateway. */
export function ownOrigin(
  config: Pick<Config, 'host' | 'publicUrl' | 'role'>,
  port: number,
): string {
  const isBehind = partsOf(config.role).api === 'behind'
  return (isBehind ? null : config.publicUrl) ?? localOrigin(config, port)
}

/** A browser cannot open a wildcard address. */
function loopbackName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
