import type { TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { setPace } from '../../src/platform/core/service.ts'
import type { Principal } from '../../src/platform/routes/principal.ts'
import { createOutbox } from '../../src/webhooks/delivery/outbox.ts'
import { createAudit } from '../../src/platform/audit/audit.ts'
import { createImportFiles, type ImportFiles } from '../../src/links/imports/files.ts'
import { createImports } from '../../src/links/imports/imports.ts'
import { createImportKind } from '../../src/links/imports/kind.ts'
import type { ImportOptions, LinkImport } from '../../src/links/imports/schema.ts'
import { createShlinkApi, type ShlinkApi } from '../../src/links/imports/shlink-api.ts'
import { createShlinkKind } from '../../src/links/imports/shlink-kind.ts'
import { openPreviews } from '../../src/links/preview/preview.ts'
import { createEgressGuard } from '../../src/platform/egress/guard.ts'
import { createJobs } from '../../src/platform/jobs/jobs.ts'
import { JobWorker } from '../../src/platform/jobs/worker.ts'
import { createCapabilities, createLimit } from '../../src/platform/plans/limits.ts'
import { createLinks } from '../../src/links/link/links.ts'
import { createHashLinkPassword } from '../../src/links/write/password.ts'
import { createShortHost } from '../../src/links/link/dependencies.ts'
import { readPlans } from '../../src/platform/plans/plans.ts'
import type { SystemSql, TenantSql } from '../../src/platform/storage/postgres/postgres.ts'
import { freshPostgres } from './engines.ts'
import { eventually } from './eventually.ts'
import {
  addMembership,
  addUser,
  addWorkspace,
  saveNoResponse,
  toPrincipal,
  unusedLinkClicks,
} from './fixtures.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { openPools } from './job-world.ts'

const PACE = 20
const ORIGIN = 'http://localhost:3000'

type Pools = { sql: TenantSql; systemSql: SystemSql; files: ImportFiles; shlink: ShlinkApi }

/** The rules of imports and what they need, on pools with the roles of the program. */
export function createImportRules({ sql, systemSql, files, shlink }: Pools, clock = Date.now) {
  const plans = readPlans(null)
  const shortHost = createShortHost({
    publicUrl: null,
    shortUrl: null,
    origin: ORIGIN,
    port: 3000,
  })
  const secrets = createSecrets('a secret key')
  const deps = {
    ...{ sql, systemSql, clock, secrets },
    reads: heavyReadsOn(sql),
    audit: createAudit(clock),
    limit: createLimit(clock, plans),
    requireCapability: createCapabilities(plans),
    publish: createOutbox(clock),
    saveIdempotentResponse: saveNoResponse,
    hashLinkPassword: createHashLinkPassword(secrets),
    shortHost: () => shortHost,
  }
  const jobs = createJobs(deps)
  const kinds = [createImportKind(deps), createShlinkKind({ ...deps, shlink })]
  const log = openLog('silent')
  return {
    jobs,
    links: createLinks({ ...deps, linkClicks: unusedLinkClicks }),
    imports: createImports({ ...deps, files, jobs, shlink }),
    worker: () => new JobWorker({ ...deps, log, kinds }),
  }
}

/** Reads from servers of this machine, as an operator may allow. */
export function openShlinkApi() {
  const previews = openPreviews(createEgressGuard({ allowedCidrs: ['127.0.0.0/8'] }))
  const shlink = createShlinkApi(previews)
  const close = [previews, shlink]
  return {
    shlink,
    async [Symbol.asyncDispose]() {
      await Promise.all(close.map((each) => each[Symbol.asyncDispose]()))
    },
  }
}

/** A database with the rules of imports, and a worker when `work` is called. */
export async function openImportWorld(t: TestContext) {
  // Nothing tells its worker of a new import.
  setPace(PACE)
  t.after(() => setPace(1))
  const { sql: owner, postgresUrl } = await freshPostgres(t)
  const { close, ...pools } = openPools(postgresUrl)
  t.after(close)
  const files = createImportFiles()
  t.after(() => files[Symbol.asyncDispose]())
  const api = openShlinkApi()
  t.after(() => api[Symbol.asyncDispose]())
  const rules = createImportRules({ ...pools, files, shlink: api.shlink })

  async function member(plan?: string): Promise<Principal> {
    const workspaceId = await addWorkspace(owner, plan === undefined ? {} : { plan })
    const { id: userId } = await addUser(owner)
    await addMembership(owner, { workspaceId, userId, role: 'owner' })
    return toPrincipal(userId, workspaceId)
  }

  function work() {
    const stopping = new AbortController()
    const run = rules.worker().run(stopping.signal)
    const stop = async () => {
      stopping.abort()
      await run
    }
    t.after(stop)
    return { stop }
  }

  const start = (principal: Principal, file: string | Buffer, options: ImportOptions = {}) =>
    rules.imports.start(principal, options, Buffer.from(file))

  const finished = (principal: Principal, id: string): Promise<LinkImport> =>
    eventually(async () => {
      const found = await rules.imports.get(principal, id)
      if (found.status === 'pending' || found.status === 'processing')
        throw new Error(`the import is ${found.status}`)
      return found
    }, 120_000)

  /** Imports a file to its end. */
  const run = async (principal: Principal, file: string | Buffer, options: ImportOptions = {}) =>
    finished(principal, (await start(principal, file, options)).id)

  /** The links of a workspace in the order of their names. */
  const linksOf = async (principal: Principal) => {
    const ids = await owner<{ id: string }[]>`
      select id from links where workspace_id = ${principal.workspaceId} order by name, id`
    return Promise.all(ids.map(({ id }) => rules.links.get(principal, id)))
  }

  return { owner, postgresUrl, ...pools, ...rules, member, work, start, finished, run, linksOf }
}

export type ImportWorld = Awaited<ReturnType<typeof openImportWorld>>

/** Quotes cells as the export does. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  const quote = (cell: string) =>
    /[",\n\r;]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
  return `${rows.map((cells) => cells.map(quote).join(',')).join('\n')}\n`
}
