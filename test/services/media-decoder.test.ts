import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createPictures } from '../../src/services/media/pictures.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
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
    const who = { userId: `usr_${account}`, workspaceId: `wsp_${account}`, ip } as never
    await pictures.inspect(who, freshImage(5))
    ended.push(ip)
  }
  const flood = Array.from({ length: 12 }, (_, account) => upload(account, '203.0.113.9'))
  await Promise.all([...flood, upload(20, '203.0.113.10')])
  assert.ok(ended.indexOf('203.0.113.10') <= 2, ended.join())
})

function decoderPid(): number {
  const pids = childrenOf(process.pid).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('picture-process'),
  )
  assert.equal(pids.length, 1)
  return pids[0]!
}
