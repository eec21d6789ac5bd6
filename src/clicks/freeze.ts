import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Log } from '../base/log.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { LinkTally } from './cursor.ts'
import { emptyAbout, encodeRow, writeFrozen, type AboutRows, type Frozen } from './rows.ts'
import { readSlices, type Segment } from '../journal/segment-reader.ts'
import { emptyDraft, isOurs, runSteps, type DropReason, type Step } from './steps.ts'
import type { Visitors } from './visitor.ts'

export type FreezeDeps = {
  steps: readonly Step[]
  visitors: Pick<Visitors, 'load'>
  log: Log
}

/**
 * Turns the records of a sealed segment into rows, once, and puts them beside it. On a disk that
 * is full the rows stay in memory and are sent from there: shipping is what frees the disk.
 * @throws what PostgreSQL throws when the salts can't be read
 */
export async function freeze(segment: Segment, deps: FreezeDeps): Promise<Frozen> {
  const about = emptyAbout()
  const tallies = new Map<string, LinkTally>()
  const chunks: Buffer[] = []
  for await (const slice of readSlices(await readFile(segment.sealedFile), segment.sealedFile)) {
    drop(about, 'unreadable', slice.unreadable)
    // PostgreSQL is asked for ids that can be ones only: some others make it refuse the question.
    const ours = slice.records.filter(isOurs)
    await deps.visitors.load(new Set(ours.map((record) => record.workspaceId)))
    const chunk = enrich(slice.records, segment.name, deps.steps, about, tallies)
    about.bytes += chunk.length
    about.crc = crc32(chunk, about.crc)
    chunks.push(chunk)
  }
  about.tallies = [...tallies.values()]
  const frozen = { about, chunks }
  try {
    await writeFrozen(segment.rowsFile, frozen)
  } catch (error) {
    deps.log.warn({ err: error, segment: segment.name }, 'rows could not be kept beside a segment')
  }
  return frozen
}

function enrich(
  records: readonly ClickRecord[],
  segment: string,
  steps: readonly Step[],
  about: AboutRows,
  tallies: Map<string, LinkTally>,
): Buffer {
  let text = ''
  for (const record of records) {
    const draft = emptyDraft(record)
    const reason = runSteps(steps, draft)
    if (reason !== undefined) {
      drop(about, reason, 1)
      continue
    }
    text += encodeRow(draft, segment)
    about.fromMs = about.rows === 0 ? record.atMs : Math.min(about.fromMs, record.atMs)
    about.toMs = Math.max(about.toMs, record.atMs)
    about.rows++
    about.kinds[draft.kind]++
    if (draft.kind === 'human') tally(tallies, record)
  }
  return Buffer.from(text)
}

function tally(tallies: Map<string, LinkTally>, record: ClickRecord): void {
  const known = tallies.get(record.linkId)
  if (known === undefined) {
    const { workspaceId, linkId, atMs } = record
    tallies.set(linkId, { workspaceId, linkId, clicks: 1, lastMs: atMs })
    return
  }
  known.clicks++
  if (record.atMs > known.lastMs) known.lastMs = record.atMs
}

function drop(about: AboutRows, reason: DropReason, count: number): void {
  if (count > 0) about.dropped[reason] = (about.dropped[reason] ?? 0) + count
}
