import { setImmediate as nextTurn } from 'node:timers/promises'
import { bindDeps } from '../../base/bind-deps.ts'
import type { Clock } from '../../base/clock.ts'
import { ApiError } from '../../base/errors.ts'
import type { Static } from 'typebox'
import { page, type Page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type TenantSql, type Tx } from '../../storage/postgres.ts'
import type { Job, Jobs } from '../jobs/jobs.ts'
import type { KeepAnswer } from '../kept-answers.ts'
import { requireOwn } from '../own.ts'
import { clampLimit, type Paged } from '../shapes.ts'
import type { UndoMeta, UndoRow } from '../undo-shapes.ts'
import type { UndoAlongside } from '../undo-window.ts'
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
  keepAnswer: KeepAnswer
  /** A function, since the port may be chosen at start. */
  shortHost: () => { domain: string }
  /** @throws ApiError NOT_FOUND for an import that did nothing in the last hour, or is undone */
  undoOperation: (
    who: Who,
    operationId: string,
    alongside: UndoAlongside,
  ) => Promise<Page<UndoRow[], Static<typeof UndoMeta>>>
  /** Those of the imports that created or changed links that the undo would find. */
  findUndoable: (tx: Tx, who: Who, ids: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Rows that are compared before other requests get their turn. */
const ROWS_PER_TURN = 250

export type Imports = ReturnType<typeof createImports>

/**
 * Imports of links from files. The request reads the file and refuses it as a whole if it must; its rows
 * wait as chunks of a job (src/services/imports/kind.ts), which writes them.
 */
export const createImports = (deps: Deps) =>
  bindDeps(deps, { start, list, find, get, rows, recognizeColumns, cancel, undo })

/**
 * @throws ApiError VALIDATION_ERROR, PAYLOAD_TOO_LARGE or UNSUPPORTED_MEDIA_TYPE for a file that is refused as
 *   a whole; CONFLICT while another import of the workspace is not finished
 */
async function start(
  deps: Deps,
  who: Who,
  options: ImportOptions,
  bytes: Buffer,
  signal?: AbortSignal,
): Promise<LinkImport> {
  const { sql, jobs } = deps
  const mapping = parseMapping(options.mapping)
  const requireFree = (tx: Tx) => requireNoOther(deps, tx, who)
  await inWorkspace(sql, who.workspaceId, requireFree)
  const asked = { mapping, source: options.source ?? null }
  const { source, layout, columns, pieces } = await deps.files.read(who, bytes, asked, signal)
  const drafts = pieces.flat()
  const { dryRun = false, onConflict = 'skip', domain = null } = options
  const shared = deps.shortHost().domain
  const hosts = await inWorkspace(sql, who.workspaceId, (tx) => readHosts(tx, who, shared))
  if (domain !== null) moveAll(drafts, hosts, domain)
  const unknownDomains = refuseUnknown(drafts, hosts, layout)
  await refuseRepeated(drafts, hosts, layout)
  const headers = layout.map(({ header, field }) => ({ header, field }))
  const input: ImportInput = {
    ...{ source, dryRun, onConflict, headers, columns, domain, unknownDomains },
  }
  const chunks: Draft[][] = []
  for (const piece of pieces) {
    chunks.push(sealPasswords(deps, who, piece))
    await nextTurn()
  }
  try {
    return await inWorkspace(sql, who.workspaceId, async (tx) => {
      await dropRows(tx, who)
      const state = startOf(drafts.length)
      const given = { prefix: 'imp', chunks, state, isSingle: true }
      const id = await jobs.enqueue(tx, who, IMPORT_KIND, input, given)
      return deps.keepAnswer(tx, who, await load(deps, tx, who, id))
    })
  } catch (error) {
    throw deps.isAnotherUnfinished(error) ? underWay() : error
  }
}

async function list(deps: Deps, who: Who, query: Paged) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const { jobs, total } = await deps.jobs.list(tx, who, IMPORT_KIND, slice)
    return page(await toImports(deps, tx, who, jobs), { total, ...slice })
  })
}

/** Authorizes the id in a path. */
function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'jobs', params['id'], 'import')
}

function get(deps: Deps, who: Who, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, who.workspaceId, (tx) => load(deps, tx, who, id))
}

/** Rows of the newest import of the workspace; none of an earlier one. */
async function rows(deps: Deps, who: Who, id: string, query: ListImportRows) {
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const found = await listRows(tx, who, id, { ...slice, status: query.status })
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
function cancel(deps: Deps, who: Who, id: string): Promise<LinkImport> {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const isCanceled = await deps.jobs.cancel(tx, who, IMPORT_KIND, id)
    const found = await load(deps, tx, who, id)
    if (isCanceled) return deps.keepAnswer(tx, who, found)
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
async function undo(deps: Deps, who: Who, id: string) {
  const { status } = await get(deps, who, id)
  if (status === 'pending' || status === 'processing')
    throw new ApiError('CONFLICT', 'The import is under way. Wait for it, or cancel it.', {
      reason: 'import_under_way',
    })
  return deps.undoOperation(who, id, (tx, keptIds) =>
    revertImportedClicks(tx, who, id, keptIds, deps.clock),
  )
}

async function load(deps: Deps, tx: Tx, who: Who, id: string): Promise<LinkImport> {
  const job = await deps.jobs.get(tx, who, IMPORT_KIND, id)
  if (!job) throw new ApiError('NOT_FOUND', 'This import does not exist.')
  return (await toImports(deps, tx, who, [job]))[0]!
}

/** Before the file is read, so that a client that repeats itself costs little. */
async function requireNoOther({ jobs }: Deps, tx: Tx, who: Who): Promise<void> {
  const { jobs: newest } = await jobs.list(tx, who, IMPORT_KIND, { limit: 1, offset: 0 })
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

async function toImports(deps: Deps, tx: Tx, who: Who, jobs: Job[]): Promise<LinkImport[]> {
  const ids = jobs.filter(({ completedAt }) => completedAt !== null).map(({ id }) => id)
  const withLinks = await deps.findUndoable(tx, who, ids)
  const withClicks = await findUndoableClicks(tx, who, ids, deps.clock)
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
