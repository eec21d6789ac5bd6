import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { KINDS, type DropReason, type EnrichedClick, type Kind } from './enrich.ts'
import type { Batch } from './batch.ts'
import type { DeepLinkClick } from './deep-links.ts'

/**
 * The frozen rows of a batch: made once, stored beside its segments as `<last sequence>.rows`, and sent
 * from there at every attempt, so that a retry cannot send different rows.
 *
 * The file is one line of JSON about the rows, then the rows as JSONEachRow. It contains no client address.
 * It is not synced: length and checksum show whether a power loss has torn it, and then the rows are made
 * again.
 */
export type Frozen = {
  chunks: Buffer[]
  about: AboutRows
}

export type AboutRows = {
  version: 2
  first?: number
  rows: number
  bytes: number
  crc: number
  fromMs: number
  toMs: number
  kinds: Record<Kind, number>
  dropped: Partial<Record<DropReason, number>>
  tallies: LinkTally[]
  /** Views of pages, with `linkId` as the id of the page; absent without any. */
  views?: LinkTally[]
  deepLinks?: DeepLinkClick[]
}

export type LinkTally = {
  workspaceId: string
  linkId: string
  clicks: number
  lastMs: number
}

/** Rows are always sent as their lines: `visitor` exceeds JavaScript's integers and could not be encoded again. */
export type Row = { line: string; fields: RowFields }

export type RowFields = Omit<EnrichedClick, 'record' | 'visitor'> &
  Record<'click_id' | 'workspace_id' | 'link_id' | 'at' | 'trigger', string> &
  Record<'host' | 'domain_id' | 'slug', string> &
  Record<`utm_${'source' | 'medium' | 'campaign' | 'term' | 'content'}` | 'destination', string>

/** A few milliseconds of parsing. */
const ROWS_PER_TURN = 1_000

export function emptyAbout(): AboutRows {
  return {
    version: 2,
    rows: 0,
    bytes: 0,
    crc: 0,
    fromMs: 0,
    toMs: 0,
    kinds: Object.fromEntries(KINDS.map((kind) => [kind, 0])) as Record<Kind, number>,
    dropped: {},
    tallies: [],
  }
}

/** Runs for every click, so fields that need no escaping are not escaped. */
export function encodeRow(click: EnrichedClick, segment: string): string {
  const { record } = click
  const [source, medium, campaign, term, content] = record.utm
  return (
    `{"click_id":"${record.clickId}","workspace_id":"${record.workspaceId}",` +
    `"link_id":"${record.linkId}","at":"${formatTime(record.atMs)}",` +
    `"segment":"${segment}","kind":"${click.kind}","visitor":${click.visitor},` +
    `"host":${JSON.stringify(record.host)},"slug":${JSON.stringify(record.slug)},` +
    `"country":${JSON.stringify(click.country)},"region":${JSON.stringify(click.region)},` +
    `"city":${JSON.stringify(click.city)},"continent":${JSON.stringify(click.continent)},` +
    `"device":${JSON.stringify(click.device)},"browser":${JSON.stringify(click.browser)},` +
    `"os":${JSON.stringify(click.os)},"referrer":${JSON.stringify(click.referrer)},` +
    `"language":${JSON.stringify(click.language)},"trigger":"${record.trigger}",` +
    `"utm_source":${JSON.stringify(source)},"utm_medium":${JSON.stringify(medium)},` +
    `"utm_campaign":${JSON.stringify(campaign)},"utm_term":${JSON.stringify(term)},` +
    `"utm_content":${JSON.stringify(content)},` +
    `"destination":${JSON.stringify(record.destination)},` +
    `"domain_id":${JSON.stringify(record.domainId)},"route":${JSON.stringify(record.route)}}\n`
  )
}

/** Reads the rows back in batches, one per turn of the event loop. */
export async function* readRows({ chunks }: Frozen): AsyncGenerator<Row[]> {
  let rows: Row[] = []
  for (const chunk of chunks) {
    const text = chunk.toString()
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start)
      const line = text.slice(start, end)
      rows.push({ line, fields: JSON.parse(line) as RowFields })
      start = end + 1
      if (rows.length < ROWS_PER_TURN) continue
      yield rows
      await nextTurn()
      rows = []
    }
  }
  if (rows.length > 0) yield rows
}

export function toChunks(rows: readonly Row[]): Buffer[] {
  return [Buffer.from(rows.map(({ line }) => `${line}\n`).join(''))]
}

export async function writeFrozen(file: string, frozen: Frozen): Promise<void> {
  const temporary = temporaryFile(file)
  try {
    const head = Buffer.from(`${JSON.stringify(frozen.about)}\n`)
    await writeFile(temporary, [head, ...frozen.chunks])
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

export function temporaryFile(file: string): string {
  return `${file}.tmp`
}

/** Undefined without rows of an earlier attempt, for a torn file, and for rows of another batch. */
export async function readFrozen(batch: Batch): Promise<Frozen | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(batch.rowsFile)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const end = bytes.indexOf(10)
  if (end === -1) return undefined
  const about = parseAbout(bytes.toString('utf8', 0, end))
  const body = bytes.subarray(end + 1)
  if (about === undefined || about.bytes !== body.length || about.crc !== crc32(body))
    return undefined
  if (about.first !== firstOf(batch)) return undefined
  return { about, chunks: [body] }
}

export function firstOf({ segments, sequence }: Batch): number | undefined {
  const first = segments[0]!.sequence
  return first === sequence ? undefined : first
}

function parseAbout(line: string): AboutRows | undefined {
  try {
    const about = JSON.parse(line) as AboutRows
    return about.version === 2 ? about : undefined
  } catch {
    return undefined
  }
}

let lastSecond = -1
let lastSecondText = ''

/** `2026-11-21 03:04:05.678` in UTC, ClickHouse's basic format. */
function formatTime(atMs: number): string {
  const second = Math.floor(atMs / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')
  }
  return `${lastSecondText}.${String(atMs - second * 1000).padStart(3, '0')}`
}
