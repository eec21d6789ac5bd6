import { OperatorError } from '../core/errors.ts'
import { SETTINGS, type Config } from './config.ts'

export type ProcessRole = Config['role']

/**
 * Parts of the program that a process runs.
 *
 * ```
 *   visitors ─▶ edge ────▶ PostgreSQL (look-ups, NOTIFY) · own journal ─▶ ClickHouse, counters
 *   clients ──▶ gateway ─▶ services ─▶ PostgreSQL, ClickHouse        worker ─▶ both
 *                 └─ credentials: PostgreSQL
 * ```
 */
export type Parts = {
  /** The redirect, its journal, and the shipper of that journal. */
  readonly edge: boolean
  /**
   * `/v1`: `whole`, the gateway hands the `Principal` to the services as an object; `forwards`, it sends it
   * to SERVICES_URL; `behind`, the services take it from a gateway and check no credentials.
   */
  readonly api: 'whole' | 'forwards' | 'behind' | null
  /** Work without a request: deliveries, purges, clean-up. */
  readonly worker: boolean
  /** Whether its work needs ClickHouse; PostgreSQL is needed by every part. */
  readonly clickhouse: boolean
  /** The socket through which the command line uses the services (`bootstrap`, …). */
  readonly hasOperatorSocket: boolean
}

/**
 * The part that answers a path. `probes` are `/health`, `/ready` and `/metrics`, which every process has, and
 * `/internal/tls-ask` of a process with an edge.
 */
export type PathOwner = 'api' | 'probes' | 'edge' | null

const PARTS: Record<ProcessRole, Parts> = {
  all: { edge: true, api: 'whole', worker: true, clickhouse: true, hasOperatorSocket: true },
  edge: { edge: true, api: null, worker: false, clickhouse: true, hasOperatorSocket: false },
  gateway: {
    edge: false,
    api: 'forwards',
    worker: false,
    clickhouse: false,
    hasOperatorSocket: false,
  },
  services: {
    edge: false,
    api: 'behind',
    worker: false,
    clickhouse: true,
    hasOperatorSocket: true,
  },
  worker: { edge: false, api: null, worker: true, clickhouse: true, hasOperatorSocket: false },
}

/**
 * Beside `/v1`, the gateway has the dashboard, reports of abuse, and the events of the billing provider, whose
 * credential is a signature.
 */
const API_PATH = /^\/(v1|app|share|billing\/events|report-abuse)(?=[/?]|$)/
/** Files that browsers and crawlers ask every host for; the gateway and the edge have them. */
const SITE_PATH = /^\/(robots\.txt|favicon\.(ico|svg))(?=\?|$)/
const PROBE_PATH = /^\/(health|ready|metrics|internal\/tls-ask)(?=[/?]|$)/

export function partsOf(role: ProcessRole): Parts {
  return PARTS[role]
}

/** The part that answers a request target in a process of this role; null: a 404. */
export function ownerOf(role: ProcessRole, target: string): PathOwner {
  const { edge, api } = partsOf(role)
  if (PROBE_PATH.test(target)) return 'probes'
  if (API_PATH.test(target) && api !== null) return 'api'
  if (SITE_PATH.test(target) && (edge || api !== null)) return 'api'
  return edge ? 'edge' : null
}

/** Each group needs one of its settings. */
type Need = readonly (keyof Config)[]

/**
 * A part of an installation shares its databases and its keys with the other parts, so only the
 * role `all` may use embedded databases and a generated secret key.
 */
const NEEDS: Record<ProcessRole, readonly Need[]> = {
  all: [],
  edge: [['databaseUrl'], ['clickhouseUrl'], ['secretKey']],
  // It sends no queries to ClickHouse, but the first process to start migrates both databases.
  gateway: [
    ['databaseUrl'],
    ['clickhouseUrl'],
    ['secretKey'],
    ['servicesUrl'],
    ['internalToken'],
    // Without an edge it does not know the hosts of domains, on which it must not answer.
    ['publicUrl', 'shortUrl'],
  ],
  services: [
    ['databaseUrl'],
    ['clickhouseUrl'],
    ['secretKey'],
    ['internalToken'],
    // Visitors cannot reach the address that services listen on.
    ['publicUrl', 'shortUrl'],
  ],
  worker: [['databaseUrl'], ['clickhouseUrl'], ['secretKey']],
}

/** @throws OperatorError naming every variable that the role needs and does not have */
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
