import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { test } from 'node:test'
import sharp from 'sharp'
import { toFormBody } from '../support/forms.ts'
import { freshImage } from '../support/images.ts'
import { openWorld } from '../support/world.ts'

const BYTES = { 'content-type': 'application/octet-stream' }
/** A machine that is busy with other tests takes a multiple of it. */
const LONGEST_BLOCK_MS = 50

test('uploads of large files block the event loop for a short time alone', async (t) => {
  const world = await openWorld(t)
  const owner = await world.member()
  const noise = { type: 'gaussian', mean: 120, sigma: 40 } as const
  const photo = sharp({
    create: { width: 3_000, height: 2_000, channels: 3, background: '#888', noise },
  })
  // Each `<` of the comment is looked at, which is the longest search.
  const comment = Buffer.from(`fffe${(60_002).toString(16)}`, 'hex')
  const segment = Buffer.concat([comment, Buffer.alloc(60_000, '<i')])
  const jpeg = await photo.jpeg({ quality: 60 }).toBuffer()
  const count = Math.floor((5 * 1024 * 1024 - jpeg.length) / segment.length)
  const segments = Array.from({ length: count }, () => segment)
  const large = Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)])
  const form = await toFormBody({ file: Buffer.concat([large, Buffer.from('GIF89a')]) })
  assert.equal((await owner.post('/media', freshImage(), BYTES)).status, 201)
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  assert.equal((await owner.post('/media', large, BYTES)).status, 201)
  const type = { 'content-type': form.contentType }
  assert.equal((await owner.post('/media', form.bytes, type)).status, 400)
  delay.disable()
  const longestMs = delay.max / 1e6
  t.diagnostic(`the longest block was ${longestMs.toFixed(0)} ms`)
  assert.ok(longestMs < 10 * LONGEST_BLOCK_MS, `${longestMs.toFixed(0)} ms`)
})
