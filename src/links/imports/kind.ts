import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../platform/core/clock.ts'
import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { JobContext, JobKind } from '../../platform/jobs/kind.ts'
import type { Limit } from '../../platform/plans/limits.ts'
import type { CreateLink, UpdateLink } from '../link/schema.ts'
import { toError, toHeader, type Draft, type RowError } from './drafts.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import { findExisting, type ExistingLink } from './existing.ts'
import { saveImportedClicks, type ImportedTotal } from './imported-clicks.ts'
import { resolveGroups, type GroupDeps } from './named-groups.ts'
import {
  addResults,
  IMPORT_KIND,
  type ImportInput,
  type Progress,
  type RowResult,
} from './progress.ts'
import { saveRows, toFailedRow, toKeptRow, toWrittenRow } from './rows.ts'
import { openPasswords, type SealDeps } from './sealed-passwords.ts'
import type { Hashes, LinkWrites, Written } from './writes.ts'

type Deps = GroupDeps &
  SealDeps & {
    clock: Clock
    limit: Limit
    links: LinkWrites
    shortHost: () => { origin: string }
    /** The text in place of a password in an export. */
    passwordMask: string
  }

const MAX_ERRORS_PER_ROW = 5
/** An import pauses for as long as its last piece took, so that redirects of the process wait less; at most so long. */
const MAX_PAUSE_MS = 100

/** A row that is to be written. */
type Write = { index: number; draft: Draft } & (
  | { existing: null; input: CreateLink }
  | { existing: ExistingLink; input: UpdateLink }
)
/** The writes of a chunk; the job is the operation by which they can be undone. */
type Batch = { jobId: string; writes: readonly Write[]; hashes: Hashes }
type Outcomes = { results: RowResult[]; totals: ImportedTotal[] }

/** Ends the transaction of a dry run. */
class DryRun extends Error {
  readonly outcomes: Outcomes
  constructor(outcomes: Outcomes) {
    super('the transaction of a dry run is rolled back')
    this.outcomes = outcomes
  }
}

/** The job of an import: each chunk of rows is a piece, so that a crash repeats no row and misses none. */
export function createImportKind(deps: Deps): JobKind {
  return {
    name: IMPORT_KIND,
    requires: { role: 'member', scope: 'links:write' },
    async run(context) {
      for (;;) {
        const progress = context.state as Progress
        const chunk = (await context.readChunk(progress.chunks)) as Draft[] | null
        if (chunk === null) return
        const startedAtMs = performance.now()
        await importChunk(deps, context, progress, openPasswords(deps, context.principal, chunk))
        await sleep(Math.min(performance.now() - startedAtMs, MAX_PAUSE_MS))
      }
    },
  }
}

async function importChunk(
  deps: Deps,
  context: JobContext,
  progress: Progress,
  chunk: readonly Draft[],
): Promise<void> {
  const input = context.input as ImportInput
  const { dryRun, source } = input
  const { principal } = context
  const results: RowResult[] = []
  const writes = await prepare(deps, principal, input, chunk, results)
  const hashes = await hashPasswords(deps, principal, writes, dryRun)
  const batch: Batch = { jobId: context.jobId, writes, hashes }
  const save = async (tx: Tx, present: Principal) => {
    const rows = results.map(({ shown }) => shown)
    await saveRows(tx, present, context.jobId, rows)
    return addResults(progress, results)
  }
  if (dryRun) {
    const dry = { ...batch, createdBefore: progress.created }
    const outcomes = await tryWrites(deps, principal, input, dry)
    place(writes, outcomes, results)
    return context.commitPiece((tx, present) => save(tx, present))
  }
  await context.commitPiece(async (tx, present) => {
    const outcomes = await write(deps, tx, present, input, batch)
    await saveImportedClicks(
      tx,
      present,
      { source, jobId: batch.jobId },
      outcomes.totals,
      deps.clock,
    )
    place(writes, outcomes, results)
    return save(tx, present)
  })
}

/** Sorts out rows that are refused or skipped before anything is written. */
async function prepare(
  deps: Deps,
  principal: Principal,
  { dryRun, onConflict, headers }: ImportInput,
  chunk: readonly Draft[],
  results: RowResult[],
): Promise<Write[]> {
  const column = (field: string) => toHeader(headers, field)
  const existing = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    findExisting(tx, principal, chunk, (...args) => deps.links.findBySlug(...args)),
  )
  const open = [...chunk.entries()].filter(([index, draft]) => {
    const { errors, isRefused } = draft
    const link = existing[index]
    if (errors.length > 0 || isRefused) results[index] = toFailure(draft, errors)
    else if (link && onConflict === 'skip') {
      const shortUrl = shortUrlOf(deps.shortHost(), link.hostname, link.slug)
      results[index] = { status: 'skipped', shown: toKeptRow(draft, { ...link, shortUrl }) }
    }
    return results[index] === undefined
  })
  const drafts = open.map(([, draft]) => draft)
  const resolved = await resolveGroups(deps, principal, drafts, { isDry: dryRun, column })
  const writes: Write[] = []
  const changed = new Set<string>()
  for (const [at, draft] of resolved.entries()) {
    const index = open[at]![0]
    const link = existing[index] ?? null
    const refuse = (errors: RowError[]) => (results[index] = toFailure(draft, errors))
    if (draft.errors.length > 0) refuse(draft.errors)
    else if (link && changed.has(link.id))
      refuse([toError(draft.row, null, 'An earlier row changes the same link.', 'CONFLICT')])
    else
      try {
        writes.push({ index, draft, ...toRequest(deps, draft, link) })
        if (link) changed.add(link.id)
      } catch (error) {
        refuse(toErrors(draft.row, error, column))
      }
  }
  return writes
}

/** @throws ApiError VALIDATION_ERROR */
function toRequest({ links, passwordMask }: Deps, { input }: Draft, link: ExistingLink | null) {
  if (link === null) {
    if (input.password === passwordMask)
      throw fieldError(
        'password',
        `${passwordMask} stands for a password that an export does not have; write a new password, or leave the cell empty.`,
      )
    // It follows from the time.
    const { status, ...rest } = input
    return { existing: null, input: links.checkNew(status === 'expired' ? rest : input) }
  }
  const { password, folderId, campaignId, ...rest } = input
  const changes = {
    ...rest,
    ...(password !== undefined && password !== passwordMask && { password }),
    // The same campaign is not sent again: it would set UTM fields that the link does not have.
    ...(folderId !== undefined && folderId !== link.folderId && { folderId }),
    ...(campaignId !== undefined && campaignId !== link.campaignId && { campaignId }),
  }
  return { existing: link, input: links.checkChange(changes) }
}

function hashPasswords(
  { links }: Deps,
  principal: Principal,
  writes: readonly Write[],
  isDry: boolean,
) {
  const passwords = writes.map(({ input }) => input.password)
  if (!passwords.some((password) => typeof password === 'string')) return new Map()
  return links.hashPasswords(principal, passwords, isDry)
}

async function write(
  { links }: Deps,
  tx: Tx,
  principal: Principal,
  { headers, dryRun }: ImportInput,
  { jobId, writes, hashes }: Batch,
): Promise<Outcomes> {
  const written: Written[] = []
  const created = [...writes.entries()].filter(([, planned]) => planned.existing === null)
  const updated = [...writes.entries()].filter(([, planned]) => planned.existing !== null)
  const news = created.map(([, { input }]) => input as CreateLink)
  const createdOnes = await links.createMany(tx, principal, news, hashesOf(created, hashes), jobId)
  for (const [at, outcome] of createdOnes.entries()) written[created[at]![0]] = outcome
  const changes = updated.map(([, { existing, input }]) => ({ id: existing!.id, input }))
  const updatedOnes = await links.updateMany(
    tx,
    principal,
    changes,
    hashesOf(updated, hashes),
    jobId,
  )
  for (const [at, outcome] of updatedOnes.entries()) written[updated[at]![0]] = outcome
  return {
    results: writes.map(({ draft }, at) => toResult(draft, written[at]!, headers, dryRun)),
    totals: writes.flatMap(({ draft: { clicks } }, at) => {
      const outcome = written[at]!
      if (clicks === null || outcome.status === 'failed') return []
      return { linkId: outcome.link.id, clicks }
    }),
  }
}

/**
 * Writes in a transaction that is rolled back.
 * @param batch.createdBefore links that earlier chunks would have created, which use up the limit of the plan
 */
async function tryWrites(
  deps: Deps,
  principal: Principal,
  input: ImportInput,
  { createdBefore, ...batch }: Batch & { createdBefore: number },
): Promise<Outcomes> {
  try {
    return await inWorkspace(deps.sql, principal.workspaceId, async (tx): Promise<Outcomes> => {
      const { left } = await deps.limit.left(tx, principal.workspaceId, 'links_monthly')
      const used = Math.min(createdBefore, left)
      if (used > 0) await deps.limit(tx, principal.workspaceId, 'links_monthly', used)
      throw new DryRun(await write(deps, tx, principal, input, batch))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.outcomes
    throw error
  }
}

function hashesOf(entries: readonly [number, Write][], hashes: Hashes): Hashes {
  return new Map(
    entries.flatMap(([at], ownAt) => {
      const hash = hashes.get(at)
      return hash === undefined ? [] : [[ownAt, hash] as const]
    }),
  )
}

function place(writes: readonly Write[], { results }: Outcomes, all: RowResult[]): void {
  for (const [at, { index }] of writes.entries()) all[index] = results[at]!
}

function toFailure(draft: Draft, errors: readonly RowError[]): RowResult {
  return { status: 'failed', errors, shown: toFailedRow(draft, errors) }
}

function toResult(
  draft: Draft,
  outcome: Written,
  headers: ImportInput['headers'],
  isDry: boolean,
): RowResult {
  if (outcome.status === 'failed') {
    const column = (field: string) => toHeader(headers, field)
    return toFailure(draft, toErrors(draft.row, outcome.error, column))
  }
  const { status: done } = outcome
  const status = done === 'created' || done === 'updated' ? done : 'skipped'
  return { status, shown: toWrittenRow(draft, status, outcome.link, isDry) }
}

/** @throws the error of anything but a refused row */
function toErrors(
  row: number,
  error: unknown,
  column: (field: string) => string | null,
): RowError[] {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { code, message, details } = error
  if (!Array.isArray(details) || details.length === 0) return [toError(row, null, message, code)]
  return (details as ErrorDetail[]).slice(0, MAX_ERRORS_PER_ROW).map((detail, at) => {
    const field = detail.path.split('.', 1)[0]!
    return toError(row, column(field), at === 0 ? message : detail.message, code)
  })
}

function fieldError(path: string, message: string): ApiError {
  return new ApiError('VALIDATION_ERROR', message, [{ path, message, code: 'mask' }])
}
