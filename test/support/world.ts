import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openApp } from '../../src/app.ts'
import type { App } from '../../src/app.ts'
import { openLog } from '../../src/base/log.ts'
import type { Role } from '../../src/base/who.ts'
import { readConfig } from '../../src/config.ts'
import type { Config } from '../../src/config.ts'
import type { ClickHouseClient } from '../../src/storage/clickhouse.ts'
import type { Sql } from '../../src/storage/postgres.ts'
import { freshDatabases } from './engines.ts'

export type Answer = {
  status: number
  headers: Headers
  /** The parsed JSON body; undefined when there is none. */
  // eslint-disable-next-line typescript/no-explicit-any
  body: any
}

/** One person with an API key in one workspace. */
export type Member = {
  userId: string
  workspaceId: string
  apiKey: string
  get(path: string, headers?: Record<string, string>): Promise<Answer>
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  patch(path: string, body?: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
}

export type World = {
  app: App
  origin: string
  sql: Sql
  clickhouse: ClickHouseClient
  clock: { now: number; advance(ms: number): void }
  /** A fresh owner of a fresh workspace; or another member of an existing one. */
  member(options?: { workspaceId?: string; role?: Role }): Promise<Member>
  call(method: string, path: string, options?: RequestInit): Promise<Answer>
}

type Options = { config?: Partial<Config>; isClockReal?: boolean }

let serial = 0

/** Boots the whole program in this process on private databases and a free port; closed after the test. */
export async function openWorld(t: TestContext, options: Options = {}): Promise<World> {
  const databases = await freshDatabases(t)
  const dataDir = mkdtempSync(join(tmpdir(), 'signpost-world-'))
  const clock = {
    now: Date.now(),
    advance(ms: number) {
      this.now += ms
    },
  }
  const config: Config = {
    ...readConfig({}),
    // Every test signs in from the same address.
    rateLimitAuth: 10_000,
    port: 0,
    dataDir,
    databaseUrl: databases.postgresUrl,
    clickhouseUrl: databases.clickhouseUrl,
    ...options.config,
  }
  const app = await openApp(config, {
    log: openLog('silent'),
    clock: options.isClockReal ? Date.now : () => clock.now,
  })
  const stop = new AbortController()
  const running = app.run(stop.signal)
  t.after(async () => {
    stop.abort()
    await running
    await app[Symbol.asyncDispose]()
    rmSync(dataDir, { recursive: true, force: true })
  })

  const call = (method: string, path: string, init: RequestInit = {}) =>
    fetchAnswer(`${app.origin}${path}`, { ...init, method })

  return {
    app,
    origin: app.origin,
    sql: databases.sql,
    clickhouse: databases.clickhouse,
    clock,
    call,
    async member({ workspaceId, role } = {}) {
      const email = `person-${process.pid}-${++serial}@example.com`
      const made = await app.bootstrap({ email, workspace: workspaceId, role })
      return { ...made, ...callsWith(made.apiKey, app.origin) }
    },
  }
}

/** The four verbs under `/v1` with an API key. */
export function callsWith(apiKey: string, origin: string) {
  const send = (method: string, path: string, body?: unknown, headers = {}) =>
    fetchAnswer(`${origin}/v1${path}`, {
      method,
      headers: {
        authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  return {
    get: (path: string, headers?: Record<string, string>) => send('GET', path, undefined, headers),
    post: (path: string, body?: unknown, headers?: Record<string, string>) =>
      send('POST', path, body, headers),
    patch: (path: string, body?: unknown) => send('PATCH', path, body),
    delete: (path: string) => send('DELETE', path),
  }
}

async function fetchAnswer(url: string, init: RequestInit): Promise<Answer> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : undefined,
  }
}

/** Asks until `check` passes, for at most `timeoutMs`; then the last failure is the test's. */
export async function eventually<T>(
  check: () => Promise<T>,
  timeoutMs = 30_000,
  everyMs = 50,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
}
