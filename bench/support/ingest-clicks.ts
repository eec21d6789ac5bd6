import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ulid } from '../../src/platform/core/ids.ts'
import {
  encodeHeader,
  encodeRecord,
  newBootId,
  newSeed,
  segmentName,
  type ClickRecord,
} from '../../src/clicks/journal/format.ts'
import { WORKSPACE_ID } from './links.ts'

const AGENTS = 500

const REFERRERS = [
  '',
  '',
  'https://www.google.com/',
  'https://t.co/abc',
  'https://news.example.org/a/b?c=d',
  'android-app://com.slack/',
]

/** A click as in real traffic: few links get most clicks, agents repeat, addresses hardly do. */
export function makeClick(links: number): ClickRecord {
  const atMs = Date.now()
  const link = Math.floor(Math.random() ** 3 * links)
  const agent = randomInt(AGENTS)
  return {
    clickId: ulid(atMs),
    atMs,
    workspaceId: WORKSPACE_ID,
    linkId: `lnk_${link}`,
    host: 'links.example.com',
    slug: `s${link}`,
    destination: `https://example.com/${link}`,
    utm: ['newsletter', 'email', 'autumn', '', ''],
    trigger: 'link',
    ip: `${1 + randomInt(222)}.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`,
    userAgent: `Mozilla/5.0 (Linux; Android ${9 + (agent % 7)}; Pixel ${agent}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${100 + (agent % 40)}.0.0.0 Mobile Safari/537.36`,
    referrer: REFERRERS[randomInt(REFERRERS.length)]!,
    language: 'en-GB,en;q=0.9,de;q=0.7',
    isPrefetch: false,
    domainId: '',
    route: 'default',
    country: '',
    isView: false,
    hasGpc: false,
    hasDnt: false,
  }
}

type Segments = { segments: number; megabytes: number; links: number }

/** Adds the journal of a process that ended, in one step. @returns its clicks */
export function leaveSegments(journalDir: string, segments: Segments): number {
  const { leave, clicks } = prepareSegments(journalDir, segments)
  leave()
  return clicks
}

/** Writes the journal of a process that ended outside of the folder of the journals, and on its file system. */
export function prepareSegments(journalDir: string, segments: Segments) {
  const drafts = mkdtempSync(join(dirname(journalDir), 'draft-'))
  const journalId = newBootId()
  const clicks = writeSegments(join(drafts, journalId), segments)
  return {
    clicks,
    /** Adds the journal to the others in one step. */
    leave: () => {
      renameSync(join(drafts, journalId), join(journalDir, journalId))
      rmdirSync(drafts)
    },
  }
}

/** Writes segments of such a size, as an edge leaves them behind whose databases were too slow. */
export function writeSegments(folder: string, { segments, megabytes, links }: Segments): number {
  mkdirSync(folder, { recursive: true })
  const bytes = megabytes * 1024 * 1024
  const target = Buffer.alloc(bytes + 64 * 1024)
  let clicks = 0
  for (let sequence = 1; sequence <= segments; sequence++) {
    const seed = newSeed()
    let at = encodeHeader(seed).copy(target)
    for (; at < bytes; clicks++) at = encodeRecord(target, at, seed, makeClick(links))
    writeFileSync(join(folder, segmentName(sequence, 'sealed')), target.subarray(0, at))
  }
  return clicks
}
