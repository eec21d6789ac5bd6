import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { LinkTally } from './cursor.ts'
import { KINDS, type Draft, type DropReason, type Kind } from './steps.ts'

/**
 * The rows of a segment, frozen: made once, kept beside the segment as `<sequence>.rows`, and from
 * then on the only thing that is sent, whatever the steps would make of the records by now.
 *
 * The file is one line of JSON about the rows, then the rows as JSONEachRow. It holds no address.
 * It is not synced: after a loss of power it may be torn, which its length and checksum tell, and
 * the rows are made again.
 */
export type Frozen = {
  /** Complete lines of JSONEachRow, `click_id` first. */
  chunks: Buffer[]
  about: AboutRows
}

export type AboutRows = {
  version: 1
  rows: number
  bytes: number
  crc: number
  /** Earliest and latest `at`; both 0 when there are no rows. */
  fromMs: number
  toMs: number
  kinds: Record<Kind, number>
  dropped: Partial<Record<DropReason, number>>
  tallies: LinkTally[]
}

export function emptyAbout(): AboutRows {
  return {
    version: 1,
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

/**
 * One row of migrations/clickhouse/0001_clicks.sql as a line of JSON. Called for every click, so
 * the parts that need no escaping are not escaped.
 */
export function encodeRow(draft: Draft, segment: string): string {
  const { record } = draft
  const [source, medium, campaign, term, content] = record.utm
  return (
    `{"click_id":"${record.clickId}","workspace_id":"${record.workspaceId}",` +
    `"link_id":"${record.linkId}","at":"${formatTime(record.atMs)}",` +
    `"segment":"${segment}","kind":"${draft.kind}","visitor":${draft.visitor},` +
    `"host":${JSON.stringify(record.host)},"slug":${JSON.stringify(record.slug)},` +
    `"country":${JSON.stringify(draft.country)},"region":${JSON.stringify(draft.region)},` +
    `"city":${JSON.stringify(draft.city)},"continent":${JSON.stringify(draft.continent)},` +
    `"device":${JSON.stringify(draft.device)},"browser":${JSON.stringify(draft.browser)},` +
    `"os":${JSON.stringify(draft.os)},"referrer":${JSON.stringify(draft.referrer)},` +
    `"language":${JSON.stringify(draft.language)},"trigger":"${record.trigger}",` +
    `"utm_source":${JSON.stringify(source)},"utm_medium":${JSON.stringify(medium)},` +
    `"utm_campaign":${JSON.stringify(campaign)},"utm_term":${JSON.stringify(term)},` +
    `"utm_content":${JSON.stringify(content)},` +
    `"destination":${JSON.stringify(record.destination)}}\n`
  )
}

const CLICK_ID_AT = '{"click_id":"'.length

/** The click id of a line that {@link encodeRow} made. */
export function clickIdOf(line: string): string {
  return line.slice(CLICK_ID_AT, CLICK_ID_AT + 26)
}

const WORKSPACE_AT = CLICK_ID_AT + 26 + '","workspace_id":"'.length

/** The workspace of a line that {@link encodeRow} made. */
export function workspaceIdOf(line: string): string {
  return line.slice(WORKSPACE_AT, line.indexOf('"', WORKSPACE_AT))
}

/** Every line of the rows with its newline, in order. */
export function* linesOf(frozen: Frozen): Generator<string> {
  for (const chunk of frozen.chunks) {
    const text = chunk.toString()
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('\n', start) + 1
      yield text.slice(start, end)
      start = end
    }
  }
}

/** Puts the rows on disk whole or not at all. */
export async function writeFrozen(file: string, frozen: Frozen): Promise<void> {
  const temporary = temporaryOf(file)
  try {
    const head = Buffer.from(`${JSON.stringify(frozen.about)}\n`)
    await writeFile(temporary, [head, ...frozen.chunks])
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** What a process leaves that dies while it writes the rows. */
export function temporaryOf(file: string): string {
  return `${file}.tmp`
}

/** The frozen rows of an earlier try; undefined when there are none, or none that are whole. */
export async function readFrozen(file: string): Promise<Frozen | undefined> {
  let bytes: Buffer
  try {
    bytes = await readFile(file)
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
  return { about, chunks: [body] }
}

function parseAbout(line: string): AboutRows | undefined {
  try {
    const about = JSON.parse(line) as AboutRows
    return about.version === 1 ? about : undefined
  } catch {
    return undefined
  }
}

let lastSecond = -1
let lastSecondText = ''

/** `2026-11-21 03:04:05.678`: what ClickHouse reads in its basic format, in UTC. */
function formatTime(atMs: number): string {
  const second = Math.floor(atMs / 1000)
  if (second !== lastSecond) {
    lastSecond = second
    lastSecondText = new Date(second * 1000).toISOString().slice(0, 19).replace('T', ' ')
  }
  return `${lastSecondText}.${String(atMs - second * 1000).padStart(3, '0')}`
}
