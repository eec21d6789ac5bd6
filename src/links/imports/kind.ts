import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError, invalid, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import type { JobContext, JobKind } from '../../platform/jobs/jobs.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { createShapeCheck } from '../../platform/routes/shape-check.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import type { Outcome } from '../write/outcomes.ts'
import { UpdateLink, type CreateLink } from '../link/schema.ts'
import { checkLink } from '../write/bulk.ts'
import { createMany } from '../write/create.ts'
import { hashPasswords, PASSWORD_MASK, type PasswordHashes } from '../write/password.ts'
import { updateMany } from '../write/change.ts'
import { toError, toHeader, type Draft, type RowError } from './drafts.ts'
import { findExisting, resolveGroups, type ExistingLink } from './lookups.ts'
import {
  addResults,
  IMPORT_KIND,
  openPasswords,
  saveImportedClicks,
  saveRows,
  toFailedRow,
  toKeptRow,
  toWrittenRow,
  type ImportInput,
  type Progress,
  type RowResult,
} from './rows.ts'

type Deps = LinkDeps & { secrets: Secrets }

const MAX_ERRORS_PER_ROW = 5
/** After each piece an import pauses for as long as the piece took, up to this, so that redirects wait less. */
const MAX_PAUSE_MS = 100

type Write = { index: number; draft: Draft } & (
  | { existing: null; input: CreateLink }
  | { existing: ExistingLink; input: UpdateLink }
)
type Batch = { jobId: string; writes: readonly Write[]; hashes: PasswordHashes }

class DryRun extends Error {
  readonly outcomes: readonly Outcome[]
  constructor(outcomes: readonly Outcome[]) {
    super('the transaction of a dry run is rolled back')
    this.outcomes = outcomes
  }
}

const checkChange = createShapeCheck(UpdateLink, 'A link')

/** The job of an import. Each chunk of rows is one piece, so that a crash neither repeats nor skips a row. */
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

export async function importChunk(
  deps: Deps,
  { principal, jobId, commitPiece, ...context }: JobContext,
  progress: Progress,
  chunk: readonly Draft[],
): Promise<void> {
  const input = context.input as ImportInput
  const results: RowResult[] = []
  const writes = await prepare(deps, principal, input, chunk, results)
  const hashes = await hash(deps, principal, writes, input.dryRun)
  const batch = { jobId, writes, hashes }
  const save = async (tx: Tx, present: Principal, outcomes: readonly Outcome[]) => {
    for (const [at, { index, draft }] of writes.entries())
      results[index] = toResult(draft, outcomes[at]!, input)
    await saveRows(
      tx,
      present,
      jobId,
      results.map(({ shown }) => shown),
    )
    return addResults(progress, results)
  }
  if (input.dryRun) {
    const outcomes = await tryWrites(deps, principal, batch, progress.created)
    return commitPiece((tx, present) => save(tx, present, outcomes))
  }
  await commitPiece(async (tx, present) => {
    const outcomes = await write(deps, tx, present, batch)
    const totals = writes.flatMap(({ draft: { clicks, days } }, at) => {
      const outcome = outcomes[at]!
      if (clicks === null || outcome.status === 'failed') return []
      return { linkId: outcome.link.id, clicks, days }
    })
    await saveImportedClicks(tx, present, { source: input.source, jobId }, totals, deps.clock)
    return save(tx, present, outcomes)
  })
}

async function prepare(
  deps: Deps,
  principal: Principal,
  { dryRun, onConflict, headers }: ImportInput,
  chunk: readonly Draft[],
  results: RowResult[],
): Promise<Write[]> {
  const column = (field: string) => toHeader(headers, field)
  const host = deps.shortHost()
  const existing = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    findExisting(tx, principal, chunk, host),
  )
  const open = [...chunk.entries()].filter(([index, draft]) => {
    const link = existing[index]
    if (draft.errors.length > 0 || draft.isRefused) results[index] = toFailure(draft, draft.errors)
    else if (link && onConflict === 'skip') {
      const shortUrl = shortUrlOf(host, link.hostname, link.slug)
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
        writes.push({ index, draft, ...toRequest(draft, link) })
        if (link) changed.add(link.id)
      } catch (error) {
        refuse(toErrors(draft.row, error, column))
      }
  }
  return writes
}

function toRequest({ input }: Draft, link: ExistingLink | null) {
  if (link === null) {
    if (input.password === PASSWORD_MASK)
      throw invalid(
        'password',
        `${PASSWORD_MASK} stands for a password that an export does not have; write a new password, or leave the cell empty.`,
        'mask',
      )
    const { status, ...rest } = input
    return { existing: null, input: checkLink(status === 'expired' ? rest : input) }
  }
  const { password, folderId, campaignId, ...rest } = input
  const changes = {
    ...rest,
    ...(password !== undefined && password !== PASSWORD_MASK && { password }),
    // Sending the same campaign again would set UTM fields that the link does not have.
    ...(folderId !== undefined && folderId !== link.folderId && { folderId }),
    ...(campaignId !== undefined && campaignId !== link.campaignId && { campaignId }),
  }
  return { existing: link, input: checkChange(changes) }
}

/** Checks the passwords. A dry run stores none, so it needs no real hash. */
function hash(deps: Deps, principal: Principal, writes: readonly Write[], isDry: boolean) {
  const own = isDry ? { ...deps, hashLinkPassword: async () => 'none' } : deps
  const passwords = writes.map(({ input }) => input.password)
  return hashPasswords(own, principal, passwords, passwords.length)
}

async function write(deps: Deps, tx: Tx, principal: Principal, { jobId, writes, hashes }: Batch) {
  const indexes = [...writes.keys()]
  const news = indexes.filter((at) => writes[at]!.existing === null)
  const changed = indexes.filter((at) => writes[at]!.existing !== null)
  const hashesOf = (some: readonly number[]) =>
    new Map(some.flatMap((at, i) => (hashes.has(at) ? [[i, hashes.get(at)!] as const] : [])))
  const inputs = news.map((at) => writes[at]!.input as CreateLink)
  const changes = changed.map((at) => ({
    id: writes[at]!.existing!.id,
    input: writes[at]!.input,
  }))
  const outcomes: Outcome[] = []
  const created = await createMany(deps, tx, principal, inputs, hashesOf(news), jobId)
  for (const [i, at] of news.entries()) outcomes[at] = created[i]!
  const updated = await updateMany(deps, tx, principal, changes, hashesOf(changed), jobId)
  for (const [i, at] of changed.entries()) outcomes[at] = updated[i]!
  return outcomes
}

/** Writes in a transaction that is rolled back. Links of earlier chunks count against the plan, as if created. */
async function tryWrites(deps: Deps, principal: Principal, batch: Batch, createdBefore: number) {
  const { workspaceId } = principal
  try {
    return await inWorkspace(deps.sql, workspaceId, async (tx): Promise<Outcome[]> => {
      const { left } = await deps.limit.left(tx, workspaceId, 'links_monthly')
      const used = Math.min(createdBefore, left)
      if (used > 0) await deps.limit(tx, workspaceId, 'links_monthly', used)
      throw new DryRun(await write(deps, tx, principal, batch))
    })
  } catch (error) {
    if (error instanceof DryRun) return error.outcomes
    throw error
  }
}

function toFailure(draft: Draft, errors: readonly RowError[]): RowResult {
  return { status: 'failed', errors, shown: toFailedRow(draft, errors) }
}

function toResult(draft: Draft, outcome: Outcome, { headers, dryRun }: ImportInput): RowResult {
  if (outcome.status === 'failed') {
    const column = (field: string) => toHeader(headers, field)
    return toFailure(draft, toErrors(draft.row, outcome.error, column))
  }
  const { status: done } = outcome
  const status = done === 'created' || done === 'updated' ? done : 'skipped'
  return { status, shown: toWrittenRow(draft, status, outcome.link, dryRun) }
}

function toErrors(row: number, error: unknown, column: (field: string) => string | null) {
  if (!(error instanceof ApiError) || error.status >= 500) throw error
  const { code, message, details } = error
  if (!Array.isArray(details) || details.length === 0) return [toError(row, null, message, code)]
  return (details as ErrorDetail[]).slice(0, MAX_ERRORS_PER_ROW).map((detail, at) => {
    const field = detail.path.split('.', 1)[0]!
    return toError(row, column(field), at === 0 ? message : detail.message, code)
  })
}
