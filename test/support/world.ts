import { randomBytes } from 'node:crypto'
import type { TestContext } from 'node:test'
import { openApp, type App } from '../../src/app/app.ts'
import { openLog, type Log } from '../../src/platform/core/log.ts'
import { setPace } from '../../src/platform/core/service.ts'
import type { Role } from '../../src/platform/routes/principal.ts'
import { readConfig, type Config } from '../../src/platform/config/config.ts'
import { createSessions } from '../../src/accounts/sign-in/sessions.ts'
import { createSecurityRecorder } from '../../src/platform/audit/security.ts'
import type { ClickHouseClient } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { inTransaction, type Sql } from '../../src/platform/storage/postgres/postgres.ts'
import {
  callsAs,
  callsWith,
  fetchAnswer,
  signUpAndIn,
  type Answer,
  type Browser,
  type Calls,
} from './calls.ts'
import { databasesToMigrate, type TestDatabases } from './engines.ts'
import { freshFolder, toCaller, hashCheaply } from './fixtures.ts'
import { openOutbox, type Outbox } from './outbox.ts'
import { turnedClock } from './clock.ts'
import { asSystem } from './privileges.ts'

export { callsWith } from './calls.ts'
export type { Answer } from './calls.ts'
export { eventually } from './eventually.ts'

/** A user with an API key in one workspace. */
export type Member = Calls & { userId: string; workspaceId: string; apiKey: string }

/** A signed-in browser of a user, active in one workspace. */
export type Session = Calls & { userId: string; workspaceId: string | null; cookie: string }

/** A user after a sign-up: a signed-in browser, in a new workspace. */
export type SignedUpUser = Calls & {
  browser: Browser
  userId: string
  workspaceId: string
  email: string
  password: string
}

export type World = {
  app: App
  origin: string
  /** The data directory of the process that writes mails. */
  dataDir: string
  outbox: Outbox
  sql: Sql
  clickhouse: ClickHouseClient
  /** The addresses for another program on the same databases. */
  urls: { databaseUrl: string; clickhouseUrl: string }
  clock: { now: number; advance(ms: number): void }
  /** A new owner of a new workspace, or another member of an existing one. */
  member(options?: { workspaceId?: string; role?: Role }): Promise<Member>
  /** A session of a user, without a sign-in: no password is hashed. */
  session(of: { userId: string; workspaceId: string | null }): Promise<Session>
  /** Signs up, verifies from the outbox and signs in, all over HTTP. */
  user(): Promise<SignedUpUser>
  call(method: string, path: string, options?: RequestInit): Promise<Answer>
  /** Ends the program before the test ends; its databases stay. */
  stop(): Promise<void>
  /** Registers what ends after the test and before the program, such as a page that still loads from it. */
  beforeStop(end: () => Promise<void>): void
}

type Options = {
  config?: Partial<Config>
  isClockReal?: boolean
  /** Databases of their own otherwise. */
  databases?: TestDatabases
  log?: Log
  /** Two processes: a gateway in front of services, without edge and worker. */
  isPair?: boolean
  /** How many times as often as delivered it polls, for tests of what it does then. */
  pace?: number
  /** Hashes passwords at the delivered cost, for tests of queues of hashes. */
  isHashCostReal?: boolean
  /** Serves its dashboard: `await builtDashboard()`. */
  checkout?: string
}

let serial = 0

/** Opens the whole program in this process, on private databases and a free port; closed after the test. */
export async function openWorld(t: TestContext, options: Options = {}): Promise<World> {
  setPace(options.pace ?? 1)
  t.after(() => setPace(1))
  if (!options.isHashCostReal) hashCheaply(t)
  const databases = options.databases ?? (await databasesToMigrate(t))
  const { sql } = databases
  const urls = { databaseUrl: databases.postgresUrl, clickhouseUrl: databases.clickhouseUrl }
  const time = {
    now: Date.now(),
    advance(ms: number) {
      this.now += ms
    },
  }
  // The clock of the program stands still, and that of the database runs: what is due by it becomes due.
  const beganAtMs = time.now
  const stopped = turnedClock(
    () => time.now,
    () => time.now - beganAtMs,
  )
  const clock = options.isClockReal ? Date.now : stopped
  const log = options.log ?? openLog('silent')
  const config: Config = {
    ...readConfig({}),
    // All tests sign in from the same address.
    rateLimitAuth: 10_000,
    // Nothing answers there, so that no test asks the name servers of the machine.
    dnsServers: ['127.0.0.1:9'],
    // All receivers are on this machine.
    webhookHostRate: 1_000_000,
    port: 0,
    dataDir: freshFolder(),
    ...urls,
    ...options.config,
  }
  const { checkout } = options
  const closings: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const close of closings.splice(0)) await close()
  }
  const endings: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const end of endings) await end()
    await stop()
  })
  const run = async (own: Config) => {
    const { app, close } = await runApp(own, { log, clock, ...(checkout && { checkout }) })
    closings.push(close)
    return app
  }
  const pair = options.isPair ? await runPair(config, run) : null
  const app = pair?.gateway ?? (await run(config))
  const { origin } = app
  const { bootstrap } = pair?.services ?? app
  const outbox = openOutbox(config.dataDir)
  const recordSecurity = createSecurityRecorder(clock)
  const sessions = createSessions({ systemSql: asSystem(sql), clock, recordSecurity })
  const freshEmail = () => `user-${process.pid}-${++serial}@example.com`

  return {
    app,
    origin,
    dataDir: config.dataDir,
    outbox,
    sql,
    clickhouse: databases.clickhouse,
    urls,
    clock: time,
    stop,
    beforeStop: (end) => void endings.push(end),
    call: (method, path, init = {}) => fetchAnswer(`${origin}${path}`, { ...init, method }),
    async member({ workspaceId, role } = {}) {
      const made = await bootstrap.create({ email: freshEmail(), workspace: workspaceId, role })
      return { ...made, ...callsWith(made.apiKey, origin) }
    },
    async session({ userId, workspaceId }) {
      const { cookie: made } = await inTransaction(sql, (tx) =>
        sessions.create(tx, toCaller({ origin }), { userId, workspaceId, method: 'password' }),
      )
      const cookie = `${made.name}=${made.value}`
      return { userId, workspaceId, cookie, ...callsAs(origin, () => ({ cookie, origin })) }
    },
    async user() {
      const account = { name: 'Owner', email: freshEmail(), password: 'quiet harbour lamp' }
      const browser = await signUpAndIn(
        origin,
        account,
        async (email) => (await outbox.next(email)).token,
      )
      const { data } = (await browser.calls.get('/auth/session')).body
      const ids = { userId: data.user.id, workspaceId: data.workspace.id }
      return { ...account, ...ids, browser, ...browser.calls }
    },
  }
}

async function runApp(config: Config, surroundings: Parameters<typeof openApp>[1]) {
  const app = await openApp(config, surroundings)
  const stop = new AbortController()
  const running = app.run(stop.signal)
  const close = async () => {
    stop.abort()
    await running
    await app[Symbol.asyncDispose]()
  }
  return { app, close }
}

async function runPair(config: Config, run: (config: Config) => Promise<App>) {
  const shared: Config = {
    ...config,
    secretKey: randomBytes(32).toString('hex'),
    internalToken: randomBytes(32).toString('hex'),
    shortUrl: 'https://short.example.com',
  }
  const services = await run({ ...shared, role: 'services' })
  const gateway = await run({
    ...shared,
    role: 'gateway',
    dataDir: freshFolder(),
    servicesUrl: services.origin,
  })
  return { services, gateway }
}
