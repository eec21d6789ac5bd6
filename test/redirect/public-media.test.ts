import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { newId } from '../../src/platform/core/ids.ts'
import { eventually } from '../support/eventually.ts'
import { openWorld, type World } from '../support/world.ts'

const FILE_BYTES = 12 * 1024 * 1024

/** An image that a page shows. */
async function addImage(world: World): Promise<string> {
  const { workspaceId } = await world.member()
  const id = newId('med', Date.now())
  await world.sql`
    insert into media (id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at)
    values (${id}, ${workspaceId}, 'a.png', 'image/png', 1, 1, 1, 1, sha256('a'), now())`
  await world.sql`
    insert into media_files (media_id, workspace_id, kind, content_type, sha256, bytes)
    values (${id}, ${workspaceId}, 'wide', 'image/webp', sha256('b'),
      decode(repeat('ab', ${FILE_BYTES}::int), 'hex'))`
  await world.sql`
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
    values (${id}, ${workspaceId}, 'bio_page', 'bio_1', true)`
  return id
}

test('readers that take no bytes hold few images, also when all ask at once', async (t) => {
  const world = await openWorld(t, { config: { trustedProxies: ['127.0.0.1'] } })
  const id = await addImage(world)
  const { host, hostname, port } = new URL(world.origin)
  const heads: string[] = []
  const readers = Array.from({ length: 12 }, () => {
    const socket = connect(Number(port), hostname)
    socket.write(`GET /media-public/${id} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
    socket.once('data', (chunk: Buffer) => {
      heads.push(chunk.toString('latin1', 0, 12))
      socket.pause()
    })
    return socket
  })
  t.after(() => readers.forEach((socket) => socket.destroy()))
  await eventually(() => assert.equal(heads.length, readers.length))
  const answered = heads.filter((head) => head === 'HTTP/1.1 200').length
  // The first is beyond the bound of a network; one more is read at the same time.
  assert.ok(answered >= 1 && answered <= 2, `${answered} of ${readers.length}`)
  assert.equal(heads.filter((head) => head === 'HTTP/1.1 503').length, readers.length - answered)
  const ofOther = await fetch(`${world.origin}/media-public/${id}`, {
    headers: { 'x-forwarded-for': '198.51.100.7' },
  })
  assert.equal(ofOther.status, 200)
  await ofOther.body?.cancel()
  for (const socket of readers) socket.destroy()
  const response = await eventually(async () => {
    const retried = await fetch(`${world.origin}/media-public/${id}`)
    assert.equal(retried.status, 200)
    return retried
  })
  assert.equal((await response.arrayBuffer()).byteLength, FILE_BYTES)
})
