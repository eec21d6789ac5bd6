import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createPictures } from '../../src/pages/media/pictures.ts'
import { eventually } from '../support/eventually.ts'
import { chunk, freshImage } from '../support/images.ts'
import { childrenOf } from '../support/processes.ts'

const WHO = { userId: 'usr_1', workspaceId: 'wsp_1' } as never

test(
  'a file over which the decoder ends is refused, and the next one has another decoder',
  { skip: process.platform !== 'linux' && 'it reads /proc' },
  async () => {
    const pictures = createPictures()
    const ended = assert.rejects(pictures.inspect(WHO, freshImage()), {
      code: 'VALIDATION_ERROR',
      message: /is damaged, or takes too long/,
    })
    const first = await eventually(() => decoderPid())
    process.kill(first, 'SIGKILL')
    await ended
    const { width } = await pictures.inspect(WHO, freshImage(3))
    assert.equal(width, 3)
    const second = decoderPid()
    assert.notEqual(second, first)
    await pictures.inspect(WHO, freshImage(4))
    assert.equal(decoderPid(), second)
    // An image cannot make it disclose the settings, such as the key of the secrets.
    const settings = readFileSync(`/proc/${second}/environ`, 'utf8').split('\0').filter(Boolean)
    assert.deepEqual(
      settings.filter((setting) => !setting.startsWith('NODE_CHANNEL_')),
      [],
    )
    process.kill(second, 'SIGKILL')
  },
)

test('images of many accounts of one network take turns with those of another', async () => {
  await using pictures = createPictures()
  const ended: string[] = []
  const upload = async (account: number, ip: string) => {
    const principal = { userId: `usr_${account}`, workspaceId: `wsp_${account}`, ip } as never
    await pictures.inspect(principal, freshImage(5))
    ended.push(ip)
  }
  const flood = Array.from({ length: 12 }, (_, account) => upload(account, '203.0.113.9'))
  await Promise.all([...flood, upload(20, '203.0.113.10')])
  assert.ok(ended.indexOf('203.0.113.10') <= 2, ended.join())
})

/** A PNG with a chunk of this type before its pixels. */
function withChunk(type: string, head: string, data: Buffer, count = 1): Buffer {
  const image = freshImage(6)
  const one = chunk(type, Buffer.concat([Buffer.from(head, 'latin1'), data]))
  // The signature and IHDR.
  const at = 33
  return Buffer.concat([image.subarray(0, at), ...Array(count).fill(one), image.subarray(at)])
}

test('a PNG of texts that unpack to megabytes is refused, and one of ordinary texts is stored', async () => {
  await using pictures = createPictures()
  const [zeros, text] = [deflateSync(Buffer.alloc(50_000_000)), deflateSync(Buffer.from('a text'))]
  const heads = { zTXt: 'key\0\0', iTXt: 'key\0\x01\0en\0key\0', iCCP: 'profile\0\0' }
  for (const [type, head] of Object.entries(heads)) {
    await assert.rejects(pictures.inspect(WHO, withChunk(type, head, zeros)), {
      code: 'VALIDATION_ERROR',
      message: /compressed texts/,
    })
    if (type === 'iCCP') continue
    const { width } = await pictures.inspect(WHO, withChunk(type, head, text, 20))
    assert.equal(width, 6)
  }
  await assert.rejects(pictures.inspect(WHO, withChunk('zTXt', heads.zTXt, text, 1_000)), {
    message: /compressed texts/,
  })
  const plain = withChunk('iTXt', 'key\0\0\0en\0key\0', Buffer.alloc(5_000_000, 'x'))
  assert.equal((await pictures.inspect(WHO, plain)).width, 6)
})

function decoderPid(): number {
  const pids = childrenOf(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-process'),
  )
  assert.equal(pids.length, 1)
  return pids[0]!
}
