import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { newBootId } from '../../../src/clicks/journal/format.ts'
import { JournalSize } from '../../../src/clicks/journal/size.ts'
import { until } from '../../support/eventually.ts'
import { freshFolder } from '../../support/fixtures.ts'

test('of several processes each looks at the journals of all before its own part of the limit is full', async () => {
  const root = freshFolder()
  const ofAnother = join(root, newBootId())
  mkdirSync(ofAnother)
  writeFileSync(join(ofAnother, '1.open'), Buffer.alloc(3_900))
  const alone = new JournalSize(root, 4_000)
  const oneOfTwo = new JournalSize(root, 4_000, 2)
  for (const size of [alone, oneOfTwo]) {
    size.add(1_100)
    assert.equal(size.isFull(100), false)
  }
  await until(() => oneOfTwo.upperBound() === 3_900, 'the journals were measured')
  assert.equal(oneOfTwo.isFull(200), true)
  assert.equal(alone.isFull(200), false)
})
