import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import sharp from 'sharp'
import { freshImage } from '../support/images.ts'
import { childrenOf } from '../support/processes.ts'
import { eventually, openWorld, type Member } from '../support/world.ts'

const BYTES = { 'content-type': 'application/octet-stream' }
const needsProc = { skip: process.platform !== 'linux' && 'it reads /proc' }

test('the decoder has a low priority, and ends with the program', needsProc, async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 201)
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 201)
  assert.equal(decoders().length, 1)
  assert.equal(getPriority(decoders()[0]), Math.min(getPriority() + 10, 19))
  await world.stop()
  assert.deepEqual(decoders(), [])
})

test('an image whose client leaves before its turn is not stored', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const first = owner.post('/media', await slowImage(), BYTES)
  await eventually(() => assert.equal(decoders().length, 1))
  await leaveUpload(world.origin, owner, freshImage())
  assert.equal((await first).status, 201)
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 201)
  assert.equal((await owner.get('/media')).body.meta.total, 2)
})

test('a repeated upload with an Idempotency-Key gets the answer that was kept', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const bytes = freshImage()
  const headers = { ...BYTES, 'idempotency-key': randomBytes(8).toString('hex') }
  const first = await owner.post('/media', bytes, headers)
  assert.equal(first.status, 201, first.text)
  assert.equal((await owner.delete(`/media/${first.body.data.id}`)).status, 204)
  const again = await owner.post('/media', bytes, headers)
  assert.deepEqual([again.status, again.body.data], [201, first.body.data])
})

test('a failed database is answered, and the next upload is stored', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  await world.sql`alter table media rename to media_away`
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 500)
  await world.sql`alter table media_away rename to media`
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 201)
})

/** A photo that takes the decoder a second or more. */
function slowImage(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 120, sigma: 8 } as const
  const size = { width: 4_800, height: 4_800 }
  return sharp({ create: { ...size, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 60 })
    .toBuffer()
}

/** Sends an upload whole, and disconnects when the server has answered a later request. */
async function leaveUpload(origin: string, owner: Member, bytes: Buffer): Promise<void> {
  const headers = {
    ...BYTES,
    authorization: `Bearer ${owner.apiKey}`,
    'content-length': bytes.length,
  }
  const leaving = request(`${origin}/v1/media`, { method: 'POST', headers })
  leaving.on('error', () => {})
  await new Promise((resolve) => leaving.end(bytes, () => resolve(undefined)))
  await owner.get('/media')
  leaving.destroy()
}

function decoders(): number[] {
  return childrenOf(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-process'),
  )
}
