import type { TestContext } from 'node:test'
import { openLog } from '../../src/base/log.ts'
import { createSecrets } from '../../src/base/secrets.ts'
import { setPace } from '../../src/base/service.ts'
import type { Who } from '../../src/base/who.ts'
import { createOutbox } from '../../src/delivery/outbox.ts'
import { createAudit } from '../../src/services/audit.ts'
import { createFolders } from '../../src/services/folders/folders.ts'
import { createImportFiles, type ImportFiles } from '../../src/services/imports/files.ts'
import { createImports } from '../../src/services/imports/imports.ts'
import { createImportKind } from '../../src/services/imports/kind.ts'
import type { ImportOptions, LinkImport } from '../../src/services/imports/schema.ts'
import { createJobs, isAnotherUnfinished } from '../../src/services/jobs/jobs.ts'
import { JobWorker } from '../../src/services/jobs/worker.ts'
import { createCapabilities, createLimit } from '../../src/services/limits.ts'
import { createLinkWrites } from '../../src/services/links/import-writes.ts'
import { createLinks } from '../../src/services/links/links.ts'
import { createHashLinkPassword, PASSWORD_MASK } from '../../src/services/links/password.ts'
import { findUndoable } from '../../src/services/links/versions.ts'
import { undoOperation } from '../../src/services/links/undo.ts'
import { createShortHost } from '../../src/services/links/short-host.ts'
import { readPlans } from '../../src/services/plans.ts'
import type { SystemSql, TenantSql } from '../../src/storage/postgres.ts'
import { freshPostgres } from './engines.ts'
import { eventually } from './eventually.ts'
import {
  addMembership,
  addUser,
  addWorkspace,
  keepNoAnswer,
  toWho,
  unusedLinkClicks,
} from './fixtures.ts'
import { heavyReadsOn } from './heavy-reads.ts'
import { openPools } from './job-world.ts'

const PACE = 20
const ORIGIN = 'http://localhost:3000'

type Pools = { sql: TenantSql; systemSql: SystemSql; files: ImportFiles }

/** The rules of imports and what they need, on pools with the roles of the program. */
export function createImportRules({ sql, systemSql, files }: Pools, clock = Date.now) {
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
    keepAnswer: keepNoAnswer,
    hashLinkPassword: createHashLinkPassword(secrets),
    shortHost: () => shortHost,
  }
  const jobs = createJobs(deps)
  const kind = createImportKind({
    ...deps,
    links: createLinkWrites(deps),
    createFolder: createFolders({ ...deps, jobs }).create,
    passwordMask: PASSWORD_MASK,
  })
  const log = openLog('silent')
  return {
    jobs,
    links: createLinks({ ...deps, linkClicks: unusedLinkClicks }),
    imports: createImports({
      ...deps,
      files,
      jobs,
      isAnotherUnfinished,
      undoOperation: (...args) => undoOperation(deps, ...args),
      findUndoable: (...args) => findUndoable(deps, ...args),
    }),
    worker: () => new JobWorker({ ...deps, log, kinds: [kind] }),
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
  const rules = createImportRules({ ...pools, files })

  async function member(plan?: string): Promise<Who> {
    const workspaceId = await addWorkspace(owner, plan === undefined ? {} : { plan })
    const { id: userId } = await addUser(owner)
    await addMembership(owner, { workspaceId, userId, role: 'owner' })
    return toWho(userId, workspaceId)
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

  const start = (who: Who, file: string | Buffer, options: ImportOptions = {}) =>
    rules.imports.start(who, options, Buffer.from(file))

  const finished = (who: Who, id: string): Promise<LinkImport> =>
    eventually(async () => {
      const found = await rules.imports.get(who, id)
      if (found.status === 'pending' || found.status === 'processing')
        throw new Error(`the import is ${found.status}`)
      return found
    }, 120_000)

  /** Imports a file to its end. */
  const run = async (who: Who, file: string | Buffer, options: ImportOptions = {}) =>
    finished(who, (await start(who, file, options)).id)

  /** The links of a workspace in the order of their names. */
  const linksOf = async (who: Who) => {
    const ids = await owner<{ id: string }[]>`
      select id from links where workspace_id = ${who.workspaceId} order by name, id`
    return Promise.all(ids.map(({ id }) => rules.links.get(who, id)))
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
