import { setImmediate as nextTurn } from 'node:timers/promises'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { isAnotherUnfinished, type Job, type Jobs } from '../../platform/jobs/jobs.ts'
import { requireOwn } from '../../platform/resources/ownership.ts'
import { clampLimit, type Paged } from '../../platform/resources/shapes.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { page } from '../../platform/routes/route.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { undoOperation } from '../history/undo.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import {
  getMissing,
  parseMapping,
  recognize,
  toColumns,
  toError,
  toHeader,
  type Draft,
  type Layout,
} from './drafts.ts'
import type { ImportFiles } from './files.ts'
import {
  moveAll,
  readHosts,
  refuseUnknown,
  toHostAddress as toAddress,
  type Hosts,
} from './lookups.ts'
import {
  dropRows,
  findUndoable,
  IMPORT_KIND,
  IMPORT_KINDS,
  listRows,
  newProgress,
  SHLINK_KIND,
  sealPasswords,
  type ImportInput,
  type Progress,
} from './rows.ts'
import type {
  ColumnsInput,
  ImportOptions,
  LinkImport,
  ListImportRows,
  RecognizedColumns,
  ShlinkImport,
} from './schema.ts'
import type { ShlinkApi } from './shlink-api.ts'
import { sealSource } from './shlink-kind.ts'
import { detectSource } from './fields.ts'

type Deps = LinkDeps & {
  secrets: Secrets
  jobs: Pick<Jobs, 'enqueue' | 'get' | 'list' | 'cancel'>
  files: Pick<ImportFiles, 'read'>
  shlink: Pick<ShlinkApi, 'links'>
}

const ROWS_PER_TURN = 250

export type Imports = ReturnType<typeof createImports>

/** The request reads the file and may refuse it; its rows become the chunks of a job (kind.ts), which writes them. */
export const createImports = (deps: Deps) =>
  bindDeps(deps, { start, startShlink, list, find, get, rows, recognizeColumns, cancel, undo })

async function start(
  deps: Deps,
  principal: Principal,
  options: ImportOptions,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<LinkImport> {
  const { sql, jobs } = deps
  const mapping = parseMapping(options.mapping)
  await inWorkspace(sql, principal.workspaceId, (tx) => requireNoOther(deps, tx, principal))
  const request = { mapping, source: options.source ?? null }
  const file = await deps.files.read(principal, bytes, request, signal)
  const { source, layout, columns, pieces } = file
  const drafts = pieces.flat()
  const { dryRun = false, onConflict = 'skip', domain = null } = options
  const shared = deps.shortHost().domain
  const hosts = await inWorkspace(sql, principal.workspaceId, (tx) =>
    readHosts(tx, principal, shared),
  )
  if (domain !== null) moveAll(drafts, hosts, domain)
  const unknownDomains = refuseUnknown(drafts, hosts, layout)
  await refuseRepeated(drafts, hosts, layout)
  const headers = layout.map(({ header, field }) => ({ header, field }))
  const input: ImportInput = {
    source,
    dryRun,
    onConflict,
    headers,
    columns,
    domain,
    unknownDomains,
  }
  const chunks: Draft[][] = []
  for (const piece of pieces) {
    chunks.push(sealPasswords(deps, principal, piece))
    await nextTurn()
  }
  try {
    return await inWorkspace(sql, principal.workspaceId, async (tx) => {
      await dropRows(tx, principal)
      const state = newProgress(drafts.length)
      const job = { prefix: 'imp', chunks, state, isSingle: true }
      const id = await jobs.enqueue(tx, principal, IMPORT_KIND, input, job)
      return deps.saveIdempotentResponse(tx, principal, await load(deps, tx, principal, id))
    })
  } catch (error) {
    throw isAnotherUnfinished(error) ? underWay() : error
  }
}

/** Reads the first page at once, so that a wrong address or key is an answer, and the rest in a job (shlink-kind.ts). */
async function startShlink(
  deps: Deps,
  principal: Principal,
  options: ShlinkImport,
): Promise<LinkImport> {
  const { sql, jobs } = deps
  const { baseUrl, apiKey, dryRun = false, onConflict = 'skip', domain = null } = options
  await inWorkspace(sql, principal.workspaceId, async (tx) => {
    await requireNoOther(deps, tx, principal)
    const hosts = await readHosts(tx, principal, deps.shortHost().domain)
    if (domain !== null) moveAll([], hosts, domain)
  })
  const source = { baseUrl, apiKey }
  const { total } = await deps.shlink.links(source, 1)
  const state = {
    ...newProgress(total),
    shlink: {
      next: { page: 1, index: 0 },
      startedAtMs: deps.clock(),
      days: 0,
      columns: [],
      unknownDomains: [],
    },
  } satisfies Progress
  const input: ImportInput = { source: 'shlink', dryRun, onConflict, headers: [], domain }
  const job = {
    prefix: 'imp',
    chunks: [sealSource(deps, principal, source)],
    state,
    isSingle: true,
  }
  try {
    return await inWorkspace(sql, principal.workspaceId, async (tx) => {
      await dropRows(tx, principal)
      const id = await jobs.enqueue(tx, principal, SHLINK_KIND, input, job)
      return deps.saveIdempotentResponse(tx, principal, await load(deps, tx, principal, id))
    })
  } catch (error) {
    throw isAnotherUnfinished(error) ? underWay() : error
  }
}

async function list(deps: Deps, principal: Principal, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const { jobs, total } = await deps.jobs.list(tx, principal, IMPORT_KINDS, slice)
    return page(await toImports(deps, tx, principal, jobs), { total, ...slice })
  })
}

function find({ sql }: Deps, principal: Principal, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, principal, 'jobs', params['id'], 'import')
}

function get(deps: Deps, principal: Principal, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, principal.workspaceId, (tx) => load(deps, tx, principal, id))
}

async function rows(deps: Deps, principal: Principal, id: string, query: ListImportRows) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const found = await listRows(tx, principal, id, { ...query, ...slice })
    return page(found.rows, { total: found.total, ...slice })
  })
}

function recognizeColumns(
  _deps: Deps,
  { columns, source: given, mapping }: ColumnsInput,
): RecognizedColumns {
  const headers = columns.map((column) => column.trim())
  const source = given ?? detectSource(headers)
  const layout = recognize(headers, source, parseMapping(mapping))
  const missing = getMissing(source, layout)
  return { source, columns: toColumns(headers, layout), missing }
}

function cancel(deps: Deps, principal: Principal, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const isCanceled = await deps.jobs.cancel(tx, principal, IMPORT_KINDS, id)
    const found = await load(deps, tx, principal, id)
    if (isCanceled) return deps.saveIdempotentResponse(tx, principal, found)
    throw new ApiError('CONFLICT', `The import is ${found.status}, so it cannot be canceled.`, {
      status: found.status,
    })
  })
}

async function undo(deps: Deps, principal: Principal, id: string) {
  const { status } = await get(deps, principal, id)
  if (status === 'pending' || status === 'processing')
    throw new ApiError('CONFLICT', 'The import is under way. Wait for it, or cancel it.', {
      reason: 'import_under_way',
    })
  return undoOperation(deps, principal, id)
}

async function load(deps: Deps, tx: Tx, principal: Principal, id: string): Promise<LinkImport> {
  const job = await deps.jobs.get(tx, principal, IMPORT_KINDS, id)
  if (!job) throw new ApiError('NOT_FOUND', 'This import does not exist.')
  return (await toImports(deps, tx, principal, [job]))[0]!
}

/** Called before the file is read, so that a client that retries costs little. */
async function requireNoOther({ jobs }: Deps, tx: Tx, principal: Principal): Promise<void> {
  const { jobs: newest } = await jobs.list(tx, principal, IMPORT_KINDS, { limit: 1, offset: 0 })
  if (newest.some(({ status }) => status === 'pending' || status === 'processing')) throw underWay()
}

function underWay(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Another import of this workspace is under way. Wait for it, or cancel it.',
    { reason: 'import_under_way' },
  )
}

async function refuseRepeated(drafts: readonly Draft[], hosts: Hosts, layout: Layout) {
  const rowsByIdentity = new Map<string, number>()
  for (const [index, draft] of drafts.entries()) {
    if (index % ROWS_PER_TURN === 0) await nextTurn()
    for (const [field, key] of toIdentities(draft, hosts)) {
      const first = rowsByIdentity.get(`${field} ${key}`)
      if (first === undefined) rowsByIdentity.set(`${field} ${key}`, draft.row)
      else {
        const message = `Row ${first} also has this ${field}; keep one of the two rows.`
        draft.errors.push(toError(draft.row, toHeader(layout, field), message, 'CONFLICT'))
        break
      }
    }
  }
}

function toIdentities({ input, id, isRefused }: Draft, hosts: Hosts) {
  if (isRefused) return []
  const { externalId, slug } = input
  const identities: [field: string, key: string][] = []
  if (id !== null) identities.push(['id', id])
  if (externalId) identities.push(['externalId', externalId.trim()])
  if (slug) identities.push(['slug', toAddress(input, slug, hosts)])
  return identities
}

async function toImports(deps: Deps, tx: Tx, principal: Principal, jobs: Job[]) {
  const ids = jobs.filter(({ completedAt }) => completedAt !== null).map(({ id }) => id)
  const undoable = await findUndoable(tx, principal, ids, deps.clock)
  return jobs.map((job) => toImport(job, undoable.has(job.id)))
}

function toImport(job: Job, canUndo: boolean): LinkImport {
  const { id, status, error, createdAt, completedAt } = job
  const { headers: _headers, ...input } = job.input as ImportInput
  const { chunks: _chunks, shlink, ...counts } = job.state as Progress
  const found = shlink && { columns: shlink.columns, unknownDomains: shlink.unknownDomains }
  return {
    // An import that a backup of an earlier version brought has less.
    ...{ columns: [], domain: null, unknownDomains: [], ...input, ...counts, ...found },
    ...{ id, status, error, canUndo },
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}
