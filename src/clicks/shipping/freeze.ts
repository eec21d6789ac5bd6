import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Log } from '../../platform/core/log.ts'
import type { ClickRecord } from '../journal/format.ts'
import { readSlices } from '../journal/reader.ts'
import type { Batch } from './batch.ts'
import {
  emptyAbout,
  encodeRow,
  firstOf,
  writeFrozen,
  type AboutRows,
  type Frozen,
  type LinkTally,
} from './rows.ts'
import { isWellFormed, wantsNoVisitor, type DropReason, type Enrich } from './enrich.ts'
import type { DeepLinkFingerprints } from './deep-links.ts'
import type { PrivacySignals, Visitors } from './visitor.ts'

export type FreezeDeps = {
  enrich: Enrich
  visitors: Pick<Visitors, 'load'>
  signals: Pick<PrivacySignals, 'load'>
  fingerprints: DeepLinkFingerprints
  log: Log
}

/**
 * Turns the records of a batch into rows, once, and stores them beside its segments. On a full disk the
 * rows stay in memory and are sent from there, because shipping frees the disk.
 * @throws ForeignSegmentError
 * @throws the error of PostgreSQL if salts or settings cannot be read
 */
export async function freeze(batch: Batch, deps: FreezeDeps): Promise<Frozen> {
  const about = emptyAbout()
  const tallies: Tallies = { human: new Map(), view: new Map() }
  const first = firstOf(batch)
  if (first !== undefined) about.first = first
  const chunks: Buffer[] = []
  for await (const slice of slicesOf(batch)) {
    drop(about, 'unreadable', slice.unreadable)
    // PostgreSQL refuses the whole query for an impossible id, such as text with a NUL.
    const wellFormed = slice.records.filter(isWellFormed)
    await deps.visitors.load(toWorkspaceIds(wellFormed))
    await deps.signals.load(toWorkspaceIds(wellFormed.filter(wantsNoVisitor)))
    await deps.fingerprints.load(wellFormed)
    const chunk = encodeRows(slice.records, batch.name, deps, about, tallies)
    about.bytes += chunk.length
    about.crc = crc32(chunk, about.crc)
    chunks.push(chunk)
  }
  about.tallies = [...tallies.human.values()]
  if (tallies.view.size > 0) about.views = [...tallies.view.values()]
  const frozen = { about, chunks }
  try {
    await writeFrozen(batch.rowsFile, frozen)
  } catch (error) {
    deps.log.warn(
      { err: error, file: batch.rowsFile },
      'rows of segments could not be written: they are sent from memory',
    )
  }
  return frozen
}

async function* slicesOf({ segments }: Batch) {
  for (const { sealedFile } of segments) yield* readSlices(await readFile(sealedFile), sealedFile)
}

function toWorkspaceIds(records: readonly ClickRecord[]): Set<string> {
  return new Set(records.map(({ workspaceId }) => workspaceId))
}

type Tallies = Record<'human' | 'view', Map<string, LinkTally>>

function encodeRows(
  records: readonly ClickRecord[],
  segment: string,
  { enrich, fingerprints }: Pick<FreezeDeps, 'enrich' | 'fingerprints'>,
  about: AboutRows,
  tallies: Tallies,
): Buffer {
  let text = ''
  for (const record of records) {
    const click = enrich(record)
    if (typeof click === 'string') {
      drop(about, click, 1)
      continue
    }
    text += encodeRow(click, segment)
    about.fromMs = about.rows === 0 ? record.atMs : Math.min(about.fromMs, record.atMs)
    about.toMs = Math.max(about.toMs, record.atMs)
    about.rows++
    about.kinds[click.kind]++
    if (click.kind === 'human' || click.kind === 'view') countClick(tallies[click.kind], record)
    const deepLink = fingerprints.identify(click)
    if (deepLink) (about.deepLinks ??= []).push(deepLink)
  }
  return Buffer.from(text)
}

function countClick(tallies: Map<string, LinkTally>, record: ClickRecord): void {
  const tally = tallies.get(record.linkId)
  if (tally === undefined) {
    const { workspaceId, linkId, atMs } = record
    tallies.set(linkId, { workspaceId, linkId, clicks: 1, lastMs: atMs })
    return
  }
  tally.clicks++
  if (record.atMs > tally.lastMs) tally.lastMs = record.atMs
}

function drop(about: AboutRows, reason: DropReason, count: number): void {
  if (count > 0) about.dropped[reason] = (about.dropped[reason] ?? 0) + count
}
