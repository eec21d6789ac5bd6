import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openLog } from '../../../src/platform/core/log.ts'
import type { JournalFiles } from '../../../src/clicks/journal/open-segment.ts'
import { openJournal } from '../../../src/clicks/journal/writer.ts'
import { makeClick } from '../../support/edge-links.ts'

test('a disk that stays full is logged once a minute, and every lost click is counted', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'signpost-journal-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const writeSync: typeof fs.writeSync = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  const files: JournalFiles = { ...fs, writeSync }
  const journal = openJournal({
    root,
    durability: 'write',
    onFailure: 'serve',
    retryMs: 0,
    log,
    files,
  })
  for (let i = 0; i < 20; i++) {
    journal.append(makeClick({ clickId: String(i).padStart(26, '0') }), { settled: () => {} })
    await nextTurn()
  }
  await journal.close()
  assert.equal(journal.stats().dropped.disk_full, 20)
  assert.equal(lines.length, 1, lines.join(''))
  assert.match(lines[0]!, /"level":"error".*"reason":"disk_full".*cannot be written/)
})
