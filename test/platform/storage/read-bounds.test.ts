import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PLACES } from '../../../src/platform/limits/places.ts'
import { SHARES } from '../../../src/platform/limits/times.ts'
import { ReadBounds } from '../../../src/platform/storage/postgres/read-bounds.ts'

const MAX_WAIT_MS = 200

/** Reads of one owner, the first of which runs until the test ends it. */
function openBounds() {
  const bounds = new ReadBounds({
    places: { ...PLACES.heavyReads, maxRunningPerKey: 1 },
    share: SHARES.databaseReads,
    maxReadMs: 1_000,
    maxWaitMs: MAX_WAIT_MS,
  })
  const { promise, resolve: end } = Promise.withResolvers<void>()
  const first = bounds.run(['user:busy', 'workspace:busy'], undefined, () => promise)
  const second = () => bounds.run(['user:busy', 'workspace:busy'], undefined, async () => 'read')
  return { bounds, second, end: () => (end(), first) }
}

test('a read that waits too long for its owner is refused as too many, since reads of others end', async () => {
  const { bounds, second, end } = openBounds()
  const others = setInterval(
    () => void bounds.run(['user:other', 'workspace:other'], undefined, async () => {}),
    MAX_WAIT_MS / 10,
  )
  await assert.rejects(second(), { code: 'RATE_LIMITED' })
  clearInterval(others)
  await end()
  assert.equal(await second(), 'read')
})

test('a read that waits too long while no read ends is told that the database is unavailable', async () => {
  const { second, end } = openBounds()
  await assert.rejects(second(), { code: 'UNAVAILABLE' })
  await end()
})
