import { ApiError } from '../../platform/core/errors.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { JobContext, JobKind } from '../../platform/jobs/jobs.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { MAX_DAYS, type Days } from './days.ts'
import { withoutDays, type Draft } from './drafts.ts'
import { importChunk } from './kind.ts'
import { moveAll, readHosts, refuseRepeatedOf, refuseUnknown } from './lookups.ts'
import { SHLINK_KIND, type ImportInput, type Progress, type ShlinkProgress } from './rows.ts'
import type { ShlinkApi, ShlinkSource } from './shlink-api.ts'
import type { ShlinkLink } from './shlink-process.ts'

type Deps = LinkDeps & { secrets: Secrets; shlink: ShlinkApi }
type Piece = Awaited<ReturnType<typeof readPiece>>

const MAX_SHLINK_LINKS = 100_000
/** A job that waits for a slow server keeps its place for at most this long. */
export const SHLINK_SLICE_MS = 60_000
const MAX_MS = 4 * 3_600_000
/** Of reading: a piece is shorter than a slice, so that each slice commits one. */
const PIECE_MS = 20_000
const VISITS_MS = 25_000
const MAX_VISIT_PAGES = 20
const AT_ONCE = 4
/** Each day of a link is a row. Later links keep their number of visits, without days. */
const MAX_DAYS_OF_ALL = 1_000_000
const PURPOSE = 'import-api-key'

/** The job of an import from the API of Shlink. Some links of a page are one piece. */
export function createShlinkKind(deps: Deps): JobKind {
  return {
    name: SHLINK_KIND,
    requires: { role: 'member', scope: 'links:write' },
    async run(context) {
      const source = openSource(deps, context.principal, (await context.readChunk(0)) as string)
      for (;;) {
        const progress = context.state as Progress & { shlink: ShlinkProgress }
        if (progress.shlink.next === null) return
        if (deps.clock() > progress.shlink.startedAtMs + MAX_MS)
          throw new ApiError('VALIDATION_ERROR', 'The Shlink server took more than four hours.')
        const { dryRun } = context.input as ImportInput
        const isFull = progress.shlink.days >= MAX_DAYS_OF_ALL
        const piece = await readPiece(deps, source, progress.shlink.next, { dryRun, isFull })
        await importPiece(deps, context, progress, piece)
      }
    },
  }
}

/** The key waits sealed, as a chunk: chunks are deleted when the job ends. */
export function sealSource(
  { secrets }: Pick<Deps, 'secrets'>,
  principal: Principal,
  source: ShlinkSource,
) {
  return secrets.seal(PURPOSE, toContext(principal), JSON.stringify(source)).toString('base64')
}

function openSource({ secrets }: Deps, principal: Principal, sealed: string): ShlinkSource {
  const text = secrets.open(PURPOSE, toContext(principal), Buffer.from(sealed, 'base64'))
  return JSON.parse(text) as ShlinkSource
}

function toContext({ workspaceId }: Principal): string {
  return `job_chunks.content:${workspaceId}`
}

type Place = NonNullable<ShlinkProgress['next']>
/** `isFull`: the import has as many days as it may. */
type DayOptions = { dryRun: boolean; isFull: boolean }

async function readPiece(
  deps: Deps,
  source: ShlinkSource,
  { page, index }: Place,
  options: DayOptions,
) {
  const startedAtMs = performance.now()
  const answer = await deps.shlink.links(source, page)
  if (answer.total > MAX_SHLINK_LINKS) throw tooMany()
  const drafts: Draft[] = []
  const waiting = answer.drafts
    .map((draft, at) => ({ draft, link: answer.links[at]! }))
    .slice(index)
  while (drafts.length < waiting.length) {
    const some = waiting.slice(drafts.length, drafts.length + AT_ONCE)
    await Promise.all(some.map(({ draft, link }) => complete(deps, source, draft, link, options)))
    drafts.push(...some.map(({ draft }) => draft))
    if (performance.now() - startedAtMs > PIECE_MS) break
  }
  const taken = index + drafts.length
  const isPageLeft = taken < answer.drafts.length
  const next = isPageLeft ? { page, index: taken } : { page: page + 1, index: 0 }
  const isLast = !isPageLeft && (page >= answer.pages || answer.drafts.length === 0)
  return { ...answer, drafts, next: isLast ? null : next }
}

async function complete(
  { shlink }: Deps,
  source: ShlinkSource,
  draft: Draft,
  link: ShlinkLink,
  { dryRun, isFull }: DayOptions,
): Promise<void> {
  if (link.hasRules) {
    const { rules, leftOut } = await shlink.rules(source, link)
    if (rules.length > 0) draft.input.rules = rules
    if (leftOut.length > 0)
      draft.notes.push(`Rules with these conditions are not imported: ${leftOut.join(', ')}.`)
  }
  if (dryRun || !draft.clicks) return
  if (isFull) {
    draft.notes.push('Its visits have no days: an import has at most a million.')
    return
  }
  const { days, isComplete } = await readDays(shlink, source, link)
  draft.days = days
  draft.clicks = withoutDays(draft.clicks, days)
  if (!isComplete) draft.notes.push('Only its newest visits have days.')
}

/** Visits come newest first. Those beyond the bounds stay a number without days. */
async function readDays(shlink: ShlinkApi, source: ShlinkSource, link: ShlinkLink) {
  const startedAtMs = performance.now()
  const counts = new Map<string, number>()
  let isComplete = false
  for (let page = 1; page <= MAX_VISIT_PAGES; page++) {
    const answer = await shlink.visits(source, link, page)
    for (const [day, clicks] of answer.days) counts.set(day, (counts.get(day) ?? 0) + clicks)
    isComplete = page >= answer.pages
    if (isComplete || performance.now() - startedAtMs > VISITS_MS) break
  }
  const days: Days = [...counts].toSorted(([a], [b]) => (a < b ? 1 : -1))
  return { days: days.slice(0, MAX_DAYS), isComplete: isComplete && days.length <= MAX_DAYS }
}

async function importPiece(
  deps: Deps,
  context: JobContext,
  progress: Progress & { shlink: ShlinkProgress },
  { drafts, layout, columns, total, next }: Piece,
): Promise<void> {
  const { sql } = deps
  const { principal, jobId } = context
  const input = context.input as ImportInput
  const host = deps.shortHost()
  const { shlink } = progress
  const hosts = await inWorkspace(sql, principal.workspaceId, (tx) =>
    readHosts(tx, principal, host.domain),
  )
  if (input.domain) moveAll(drafts, hosts, input.domain)
  const unknownDomains = refuseUnknown(drafts, hosts, layout, shlink.unknownDomains)
  await inWorkspace(sql, principal.workspaceId, (tx) =>
    refuseRepeatedOf(tx, principal, jobId, drafts, { hosts, host, layout }),
  )
  const headers = layout.map(({ header, field }) => ({ header, field }))
  const seen = columns.length > 0 ? columns : shlink.columns
  const days = drafts.reduce((sum, draft) => sum + (draft.days?.length ?? 0), shlink.days)
  const after = { ...shlink, next, unknownDomains, columns: seen, days }
  const processed = progress.processed + drafts.length
  const state = { ...progress, total: Math.max(total, processed), shlink: after }
  await importChunk(deps, { ...context, state, input: { ...input, headers } }, state, drafts)
}

function tooMany(): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The Shlink server has more than ${MAX_SHLINK_LINKS.toLocaleString('en')} links.`,
  )
}
