import { setImmediate as nextTurn } from 'node:timers/promises'
import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError } from '../../platform/core/errors.ts'
import type { Static } from 'typebox'
import { page, type Page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Job, Jobs } from '../../platform/jobs/jobs.ts'
import type { SaveIdempotentResponse } from '../../platform/resources/idempotent-responses.ts'
import { requireOwn } from '../../platform/resources/own.ts'
import { clampLimit, type Paged } from '../../platform/resources/shapes.ts'
import type { UndoMeta, UndoRow } from '../history/undo-shapes.ts'
import type { UndoAlongside } from '../history/undo-window.ts'
import { toError, toHeader, type Draft } from './drafts.ts'
import type { ImportFiles } from './files.ts'
import { moveAll, readHosts, refuseUnknown, toAddress, type Hosts } from './hosts.ts'
import { getMissing, parseMapping, recognize, toColumns, type Layout } from './layout.ts'
import { dropRows, listRows } from './rows.ts'
import { sealPasswords, type SealDeps } from './sealed-passwords.ts'
import { findUndoableClicks, revertImportedClicks } from './imported-clicks.ts'
import type {
  ColumnsInput,
  ImportOptions,
  LinkImport,
  ListImportRows,
  RecognizedColumns,
} from './schema.ts'
import { detectSource } from './sources.ts'
import { IMPORT_KIND, startOf, type ImportInput, type Progress } from './progress.ts'

type Deps = SealDeps & {
  sql: TenantSql
  clock: Clock
  jobs: Pick<Jobs, 'enqueue' | 'get' | 'list' | 'cancel'>
  files: Pick<ImportFiles, 'read'>
  isAnotherUnfinished: (error: unknown) => boolean
  saveIdempotentResponse: SaveIdempotentResponse
  /** A function, since the port may be chosen at start. */
  shortHost: () => { domain: string }
  /** @throws ApiError NOT_FOUND for an import that did nothing in the last hour, or is undone */
  undoOperation: (
    principal: Principal,
    operationId: string,
    alongside: UndoAlongside,
  ) => Promise<Page<UndoRow[], Static<typeof UndoMeta>>>
  /** Those of the imports that created or changed links that the undo would find. */
  findUndoable: (
    tx: Tx,
    principal: Principal,
    ids: readonly string[],
  ) => Promise<ReadonlySet<string>>
}

/** Rows that are compared before other requests get their turn. */
const ROWS_PER_TURN = 250

export type Imports = ReturnType<typeof createImports>

/**
 * Imports of links from files. The request reads the file and refuses it as a whole if it must; its rows
 * wait as chunks of a job (src/links/imports/kind.ts), which writes them.
 */
export const createImports = (deps: Deps) =>
  bindDeps(deps, { start, list, find, get, rows, recognizeColumns, cancel, undo })

/**
 * @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE for a file that is refused as
 *   a whole; CONFLICT while another import of the workspace is not finished
 */
async function start(
  deps: Deps,
  principal: Principal,
  options: ImportOptions,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<LinkImport> {
  const { sql, jobs } = deps
  const mapping = parseMapping(options.mapping)
  const requireFree = (tx: Tx) => requireNoOther(deps, tx, principal)
  await inWorkspace(sql, principal.workspaceId, requireFree)
  const asked = { mapping, source: options.source ?? null }
  const { source, layout, columns, pieces } = await deps.files.read(principal, bytes, asked, signal)
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
    ...{ source, dryRun, onConflict, headers, columns, domain, unknownDomains },
  }
  const chunks: Draft[][] = []
  for (const piece of pieces) {
    chunks.push(sealPasswords(deps, principal, piece))
    await nextTurn()
  }
  try {
    return await inWorkspace(sql, principal.workspaceId, async (tx) => {
      await dropRows(tx, principal)
      const state = startOf(drafts.length)
      const given = { prefix: 'imp', chunks, state, isSingle: true }
      const id = await jobs.enqueue(tx, principal, IMPORT_KIND, input, given)
      return deps.saveIdempotentResponse(tx, principal, await load(deps, tx, principal, id))
    })
  } catch (error) {
    throw deps.isAnotherUnfinished(error) ? underWay() : error
  }
}

async function list(deps: Deps, principal: Principal, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const { jobs, total } = await deps.jobs.list(tx, principal, IMPORT_KIND, slice)
    return page(await toImports(deps, tx, principal, jobs), { total, ...slice })
  })
}

/** Authorizes the id in a path. */
function find({ sql }: Deps, principal: Principal, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, principal, 'jobs', params['id'], 'import')
}

function get(deps: Deps, principal: Principal, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, principal.workspaceId, (tx) => load(deps, tx, principal, id))
}

/** Rows of the newest import of the workspace; none of an earlier one. */
async function rows(deps: Deps, principal: Principal, id: string, query: ListImportRows) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const found = await listRows(tx, principal, id, { ...slice, status: query.status })
    return page(found.rows, { total: found.total, ...slice })
  })
}

/** The fields of the columns of a file, as an import would recognize them. */
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

/** @throws ApiError CONFLICT for an import that is finished */
function cancel(deps: Deps, principal: Principal, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const isCanceled = await deps.jobs.cancel(tx, principal, IMPORT_KIND, id)
    const found = await load(deps, tx, principal, id)
    if (isCanceled) return deps.saveIdempotentResponse(tx, principal, found)
    throw new ApiError('CONFLICT', `The import is ${found.status}, so it cannot be canceled.`, {
      status: found.status,
    })
  })
}

/**
 * Takes back what an import did in the last hour: links that it created are deleted, and others get their former
 * values and imported clicks; those that were changed since, and new ones that were visited, stay.
 * @throws ApiError CONFLICT for an import that is under way; NOT_FOUND later
 */
async function undo(deps: Deps, principal: Principal, id: string) {
  const { status } = await get(deps, principal, id)
  if (status === 'pending' || status === 'processing')
    throw new ApiError('CONFLICT', 'The import is under way. Wait for it, or cancel it.', {
      reason: 'import_under_way',
    })
  return deps.undoOperation(principal, id, (tx, keptIds) =>
    revertImportedClicks(tx, principal, id, keptIds, deps.clock),
  )
}

async function load(deps: Deps, tx: Tx, principal: Principal, id: string): Promise<LinkImport> {
  const job = await deps.jobs.get(tx, principal, IMPORT_KIND, id)
  if (!job) throw new ApiError('NOT_FOUND', 'This import does not exist.')
  return (await toImports(deps, tx, principal, [job]))[0]!
}

/** Before the file is read, so that a client that repeats itself costs little. */
async function requireNoOther({ jobs }: Deps, tx: Tx, principal: Principal): Promise<void> {
  const { jobs: newest } = await jobs.list(tx, principal, IMPORT_KIND, { limit: 1, offset: 0 })
  if (newest.some(({ status }) => status === 'pending' || status === 'processing')) throw underWay()
}

function underWay(): ApiError {
  return new ApiError(
    'CONFLICT',
    'Another import of this workspace is under way. Wait for it, or cancel it.',
    { reason: 'import_under_way' },
  )
}

/** Of rows for one link, the first stays. */
async function refuseRepeated(drafts: readonly Draft[], hosts: Hosts, layout: Layout) {
  const rowsByIdentity = new Map<string, number>()
  for (const [index, draft] of drafts.entries()) {
    if (index % ROWS_PER_TURN === 0) await nextTurn()
    for (const [field, key] of toIdentities(draft, hosts)) {
      const first = rowsByIdentity.get(`${field} ${key}`)
      if (first === undefined) rowsByIdentity.set(`${field} ${key}`, draft.row)
      else {
        const message = `Row ${first} has this ${field} too; keep one of the two rows.`
        draft.errors.push(toError(draft.row, toHeader(layout, field), message, 'CONFLICT'))
        break
      }
    }
  }
}

/** Texts that name the link of a row, to find two rows of one link. */
function toIdentities(
  { input, id, isRefused }: Draft,
  hosts: Hosts,
): [field: string, key: string][] {
  if (isRefused) return []
  const { externalId, slug } = input
  return [
    ...(id === null ? [] : [['id', id] as [string, string]]),
    ...(externalId ? [['externalId', externalId.trim()] as [string, string]] : []),
    ...(slug ? [['slug', toAddress(input, slug, hosts)] as [string, string]] : []),
  ]
}

async function toImports(
  deps: Deps,
  tx: Tx,
  principal: Principal,
  jobs: Job[],
): Promise<LinkImport[]> {
  const ids = jobs.filter(({ completedAt }) => completedAt !== null).map(({ id }) => id)
  const withLinks = await deps.findUndoable(tx, principal, ids)
  const withClicks = await findUndoableClicks(tx, principal, ids, deps.clock)
  return jobs.map((job) => toImport(job, withLinks.has(job.id) || withClicks.has(job.id)))
}

function toImport(job: Job, canUndo: boolean): LinkImport {
  const { id, status, input, state, error, createdAt, completedAt } = job
  const {
    source,
    dryRun,
    onConflict,
    columns = [],
    domain = null,
    unknownDomains = [],
  } = input as ImportInput
  const { chunks: _chunks, ...counts } = state as Progress
  return {
    ...{
      id,
      source,
      status,
      dryRun,
      onConflict,
      columns,
      domain,
      ...counts,
      unknownDomains,
      error,
    },
    canUndo,
    createdAt: createdAt.toISOString(),
    completedAt: completedAt?.toISOString() ?? null,
  }
}
