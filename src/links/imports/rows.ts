import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Draft, GivenSlug, RecognizedColumn, RowError } from './drafts.ts'
import type { UnknownDomain } from './lookups.ts'
import type { Days } from './days.ts'
import { MAX_ERRORS, type ImportRow, type ListImportRows } from './schema.ts'
import type { SourceName } from './fields.ts'
import type { Secrets } from '../../platform/core/secrets.ts'
import type { Clock } from '../../platform/core/clock.ts'
import { undoableSince } from '../history/expiry.ts'

export const IMPORT_KIND = 'links.import'
/** Waits for a server of a user, so it has a worker of its own. */
export const SHLINK_KIND = 'links.import.shlink'
export const IMPORT_KINDS = [IMPORT_KIND, SHLINK_KIND]

export type ImportInput = {
  source: SourceName
  dryRun: boolean
  onConflict: 'skip' | 'update'
  headers: { header: string; field: string }[]
  columns?: RecognizedColumn[]
  domain?: string | null
  unknownDomains?: UnknownDomain[]
}

export type Progress = {
  chunks: number
  total: number
  processed: number
  created: number
  updated: number
  skipped: number
  failed: number
  errors: RowError[]
  /** Of an import from the API of Shlink. */
  shlink?: ShlinkProgress
}

export type ShlinkProgress = {
  /** The first link of the next piece; null: there is none. */
  next: { page: number; index: number } | null
  startedAtMs: number
  /** Rows of clicks by day so far. */
  days: number
  columns: RecognizedColumn[]
  unknownDomains: UnknownDomain[]
}

type RowLink = { id: string; shortUrl: string; slug: string; destinationUrl: string }

/** A cell of a refused row may be as large as the file. */
const MAX_URL_CHARS = 8_192
const MAX_NOTE_CHARS = 1_000

/** @param isDry leaves out a random slug, since the import will draw another one */
export function toWrittenRow(
  { row, input, given, notes: ownNotes }: Draft,
  status: 'created' | 'updated' | 'skipped',
  link: RowLink,
  isDry: boolean,
): ImportRow {
  const isRandom = status === 'created' && !input.slug
  const notes = [
    ...(status === 'skipped' ? ['The link already has these values.'] : []),
    ...(isRandom ? ['The file has no slug for it, so it gets a random one.'] : []),
    ...(given === null ? [] : describeChange(given, link)),
    ...ownNotes,
  ]
  return {
    ...{ row, status, linkId: status === 'created' && isDry ? null : link.id },
    shortUrl: isRandom && isDry ? null : link.shortUrl,
    destinationUrl: link.destinationUrl,
    note: notes.join(' ').slice(0, MAX_NOTE_CHARS) || null,
  }
}

export function toKeptRow({ row, given }: Draft, link: RowLink & { foundBy: string }): ImportRow {
  const other =
    given !== null && given.slug !== link.slug ? ` The file has the slug ${given.slug}.` : ''
  const note = `A link with this ${link.foundBy} exists and is left alone.${other}`
  const { id: linkId, shortUrl, destinationUrl } = link
  return {
    ...{ row, status: 'skipped', linkId, shortUrl, destinationUrl },
    note: note.slice(0, MAX_NOTE_CHARS),
  }
}

export function toFailedRow({ row, input }: Draft, errors: readonly RowError[]): ImportRow {
  const { destinationUrl, domain, domainId } = input
  const why = errors[0]?.message ?? `${domain ?? domainId} is not a domain of this workspace.`
  return {
    ...{ row, status: 'failed', linkId: null, shortUrl: null },
    destinationUrl:
      typeof destinationUrl === 'string' ? destinationUrl.slice(0, MAX_URL_CHARS) : null,
    note: why.slice(0, MAX_NOTE_CHARS),
  }
}

function describeChange({ slug, host, count }: GivenSlug, link: RowLink): string[] {
  const newHost = new URL(link.shortUrl).host
  return [
    ...(host !== null && host !== newHost ? [`The file has it at ${host.slice(0, 253)}.`] : []),
    ...(slug !== link.slug ? [`The file has the slug ${slug.slice(0, 190)}.`] : []),
    ...(count > 1 ? [`The file has ${count} short URLs for it; the first one is kept.`] : []),
  ]
}

export async function saveRows(
  tx: Tx,
  { workspaceId }: Principal,
  jobId: string,
  rows: readonly ImportRow[],
): Promise<void> {
  const column = <Name extends keyof ImportRow>(name: Name) => rows.map((each) => each[name])
  await tx`
    insert into import_rows (job_id, workspace_id, row, status, link_id, short_url, destination_url, note)
    select ${jobId}, ${workspaceId}, *
    from unnest(${column('row')}::int[], ${column('status')}::text[], ${column('linkId')}::text[],
      ${column('shortUrl')}::text[], ${column('destinationUrl')}::text[], ${column('note')}::text[])`
}

export async function dropRows(tx: Tx, { workspaceId }: Principal): Promise<void> {
  await tx`delete from import_rows where workspace_id = ${workspaceId}`
}

export async function listRows(
  tx: Tx,
  { workspaceId }: Principal,
  jobId: string,
  { status, limit, offset }: ListImportRows,
): Promise<{ rows: ImportRow[]; total: number }> {
  const where = tx`
    workspace_id = ${workspaceId} and job_id = ${jobId}
    ${status === undefined ? tx`` : tx`and status = ${status}`}`
  const rows = await tx<ImportRow[]>`
    select row, status, link_id, short_url, destination_url, note from import_rows
    where ${where} order by row limit ${limit} offset ${offset}`
  const [counted] = await tx<{ total: number }[]>`
    select count(*) as total from import_rows where ${where}`
  return { rows, total: counted!.total }
}

export function newProgress(total: number): Progress {
  const counts = { processed: 0, created: 0, updated: 0, skipped: 0, failed: 0 }
  return { chunks: 0, total, ...counts, errors: [] }
}

export type RowResult = { shown: ImportRow } & (
  | { status: 'created' | 'updated' | 'skipped' }
  | { status: 'failed'; errors: readonly RowError[] }
)

export function addResults(before: Progress, results: readonly RowResult[]): Progress {
  const count = (status: RowResult['status']) =>
    results.filter((result) => result.status === status).length
  const errors = results.flatMap((result) => (result.status === 'failed' ? result.errors : []))
  return {
    ...before,
    chunks: before.chunks + 1,
    processed: before.processed + results.length,
    created: before.created + count('created'),
    updated: before.updated + count('updated'),
    skipped: before.skipped + count('skipped'),
    failed: before.failed + count('failed'),
    errors: [...before.errors, ...errors].slice(0, MAX_ERRORS),
  }
}

type Deps = { secrets: Pick<Secrets, 'seal' | 'open'> }

const PURPOSE = 'import-password'

/** Seals the passwords while they wait for the job, since no column has one in clear text. */
export function sealPasswords(
  { secrets }: Deps,
  principal: Principal,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) =>
    withPassword(draft, (password) =>
      secrets.seal(PURPOSE, toContext(principal), password).toString('base64'),
    ),
  )
}

export function openPasswords(
  { secrets }: Deps,
  principal: Principal,
  drafts: readonly Draft[],
): Draft[] {
  return drafts.map((draft) =>
    withPassword(draft, (sealed) =>
      secrets.open(PURPOSE, toContext(principal), Buffer.from(sealed, 'base64')),
    ),
  )
}

function withPassword(draft: Draft, change: (password: string) => string): Draft {
  const { password } = draft.input
  if (typeof password !== 'string') return draft
  return { ...draft, input: { ...draft.input, password: change(password) } }
}

function toContext({ workspaceId }: Principal): string {
  return `job_chunks.content:${workspaceId}`
}

export type ImportedTotal = { linkId: string; clicks: number; days: Days }

/** Replaces the clicks of an earlier import from the same service, which are kept for an undo. */
export async function saveImportedClicks(
  tx: Tx,
  { workspaceId }: Principal,
  { source, jobId }: { source: SourceName; jobId: string },
  totals: readonly ImportedTotal[],
  clock: Clock,
): Promise<void> {
  if (totals.length === 0) return
  const now = new Date(clock())
  const linkIds = totals.map(({ linkId }) => linkId)
  const isOfLinks = tx`source = ${source} and link_id = any(${linkIds}::text[])`
  // If the file has a link twice, the last row counts.
  await tx`
    delete from imported_clicks
    where workspace_id = ${workspaceId} and ${isOfLinks}
      and (job_id = ${jobId} or replaced_at <= ${undoableSince(clock)})`
  await tx`
    update imported_clicks set replaced_by = ${jobId}, replaced_at = ${now}
    where workspace_id = ${workspaceId} and ${isOfLinks} and replaced_by is null`
  const rows = totals.flatMap(({ linkId, clicks, days }) => [
    { linkId, day: null, clicks },
    ...days.map(([day, ofDay]) => ({ linkId, day, clicks: ofDay })),
  ])
  await tx`
    insert into imported_clicks (workspace_id, link_id, source, day, clicks, job_id, imported_at)
    select ${workspaceId}, link_id, ${source}, day, clicks, ${jobId}, ${now}
    from unnest(${rows.map((row) => row.linkId)}::text[], ${rows.map(({ day }) => day)}::date[],
      ${rows.map(({ clicks }) => clicks)}::bigint[]) as row (link_id, day, clicks)`
}

export async function findUndoable(
  tx: Tx,
  { workspaceId }: Principal,
  jobIds: readonly string[],
  clock: Clock,
): Promise<ReadonlySet<string>> {
  const since = undoableSince(clock)
  const rows = await tx<{ id: string }[]>`
    select job.id from unnest(${[...jobIds]}::text[]) as job (id)
    where exists (
      select from link_versions v
      where v.operation_id = job.id and v.workspace_id = ${workspaceId} and v.changed_at > ${since}
    ) or exists (
      select from imported_clicks c
      where c.job_id = job.id and c.workspace_id = ${workspaceId} and c.imported_at > ${since})`
  return new Set(rows.map(({ id }) => id))
}

/** Undoes the clicks of an import of the last hour, except for `keptIds`; the ones that it replaced count again. */
export async function revertImportedClicks(
  tx: Tx,
  { workspaceId }: Principal,
  jobId: string,
  keptIds: readonly string[],
  clock: Clock,
): Promise<number> {
  const gone = await tx<{ linkId: string; source: string; replacedBy: string | null }[]>`
    delete from imported_clicks
    where workspace_id = ${workspaceId} and job_id = ${jobId}
      and imported_at > ${undoableSince(clock)} and link_id <> all(${[...keptIds]}::text[])
    returning link_id, source, replaced_by`
  // A second undo finds none of them.
  await tx`
    update imported_clicks set job_id = null where workspace_id = ${workspaceId} and job_id = ${jobId}`
  await tx`
    update imported_clicks former
    set replaced_by = gone.replaced_by,
      replaced_at = case when gone.replaced_by is null then null else former.replaced_at end
    from unnest(${gone.map(({ linkId }) => linkId)}::text[], ${gone.map(({ source }) => source)}::text[],
      ${gone.map(({ replacedBy }) => replacedBy)}::text[])
      as gone (link_id, source, replaced_by)
    where former.workspace_id = ${workspaceId} and former.link_id = gone.link_id
      and former.source = gone.source and former.replaced_by = ${jobId}`
  return gone.length
}
