import { readFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Log } from '../base/log.ts'
import type { ClickRecord } from '../journal/format.ts'
import { readSlices, type SealedSegment } from '../journal/reader.ts'
import {
  emptyAbout,
  encodeRow,
  writeFrozen,
  type AboutRows,
  type Frozen,
  type LinkTally,
} from './rows.ts'
import { isWellFormed, wantsNoVisitor, type DropReason, type Enrich } from './enrich.ts'
import type { DeepLinkFingerprints } from './fingerprints.ts'
import type { PrivacySignals } from './signals.ts'
import type { Visitors } from './visitor.ts'

export type FreezeDeps = {
  enrich: Enrich
  visitors: Pick<Visitors, 'load'>
  signals: Pick<PrivacySignals, 'load'>
  fingerprints: DeepLinkFingerprints
  log: Log
}

/**
 * Turns the records of a sealed segment into rows, once, and stores them beside it. On a full disk
 * the rows stay in memory and are sent from there, because shipping is what frees the disk.
 * @throws the error of PostgreSQL if salts or settings cannot be read
 */
export async function freeze(segment: SealedSegment, deps: FreezeDeps): Promise<Frozen> {
  const about = emptyAbout()
  const tallies: Tallies = { human: new Map(), view: new Map() }
  const chunks: Buffer[] = []
  for await (const slice of readSlices(await readFile(segment.sealedFile), segment.sealedFile)) {
    drop(about, 'unreadable', slice.unreadable)
    // PostgreSQL refuses the whole query for an id that cannot be one, such as text with a NUL.
    const wellFormed = slice.records.filter(isWellFormed)
    await deps.visitors.load(toWorkspaceIds(wellFormed))
    await deps.signals.load(toWorkspaceIds(wellFormed.filter(wantsNoVisitor)))
    await deps.fingerprints.load(wellFormed)
    const chunk = encodeRows(slice.records, segment.name, deps, about, tallies)
    about.bytes += chunk.length
    about.crc = crc32(chunk, about.crc)
    chunks.push(chunk)
  }
  about.tallies = [...tallies.human.values()]
  if (tallies.view.size > 0) about.views = [...tallies.view.values()]
  const frozen = { about, chunks }
  try {
    await writeFrozen(segment.rowsFile, frozen)
  } catch (error) {
    deps.log.warn(
      { err: error, file: segment.rowsFile },
      'rows of a segment could not be written: they are sent from memory',
    )
  }
  return frozen
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
