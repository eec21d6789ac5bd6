import assert from 'node:assert/strict'
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newBootId, segmentName } from '../../../src/clicks/journal/format.ts'
import { unshippedSinceMs } from '../../../src/clicks/journal/reader.ts'
import { encodeSegment, makeClick } from '../../support/shipping-world.ts'
import { freshFolder } from '../../support/fixtures.ts'

test('the age of a journal is that of the oldest segment that waits, in any folder', async () => {
  const root = freshFolder()
  assert.equal(await unshippedSinceMs(join(root, 'absent')), Infinity)
  const folders = [newBootId(), newBootId()].map((id) => join(root, id))
  for (const folder of folders) mkdirSync(folder)
  assert.equal(await unshippedSinceMs(root), Infinity)

  const oldest = join(folders[1]!, segmentName(3, 'sealed'))
  writeFileSync(oldest, '')
  await new Promise((resolve) => setTimeout(resolve, 30))
  writeFileSync(join(folders[0]!, segmentName(1, 'open')), '')
  writeFileSync(join(folders[1]!, segmentName(4, 'open')), '')
  const sinceMs = await unshippedSinceMs(root)
  assert.equal(sinceMs, statSync(oldest).birthtimeMs)
  rmSync(oldest)
  assert.ok((await unshippedSinceMs(root)) > sinceMs)
})

test('a copied segment is as old as its first click, and not younger than the rows beside it', async () => {
  const root = freshFolder()
  const folder = join(root, newBootId())
  mkdirSync(folder)
  const atMs = Date.now() - 60_000
  writeFileSync(join(folder, segmentName(2, 'rows')), 'no click')
  writeFileSync(
    join(folder, segmentName(2, 'sealed')),
    encodeSegment([makeClick('ws_1', ['lnk_1'], { atMs })]),
  )
  writeFileSync(join(folder, segmentName(3, 'sealed')), '')
  assert.equal(await unshippedSinceMs(root), atMs)
})
