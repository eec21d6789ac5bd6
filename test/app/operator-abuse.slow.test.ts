import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { databasesToMigrate } from '../support/engines.ts'
import { freshImage } from '../support/images.ts'
import { freshDataDir, runCli } from '../support/program.ts'
import { eventually, openWorld } from '../support/world.ts'

const SECRET_KEY = 'a secret key that both edges of a test have'
/** The first letter is Cyrillic. */
const LOOKALIKE = 'https://аpple.example/'

test('a reported link is taken down by the command line, on every edge', async (t) => {
  const databases = await databasesToMigrate(t)
  const dataDir = freshDataDir(t)
  const shared = { databases, isClockReal: true }
  const world = await openWorld(t, { ...shared, config: { dataDir, secretKey: SECRET_KEY } })
  const config = { role: 'edge', secretKey: SECRET_KEY } as const
  const second = await openWorld(t, { ...shared, config })
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { DATA_DIR: dataDir })
    assert.equal(code, 0, stderr)
    return stdout
  }
  const owner = await world.member()
  const input = { name: 'A', slug: 'prize', destinationUrl: LOOKALIKE }
  const link = (await owner.post('/links', input)).body.data
  const visits = () =>
    Promise.all(
      [world, second].map(async ({ call }) => (await call('GET', '/prize', MANUAL)).status),
    )
  await eventually(async () => assert.deepEqual(await visits(), [302, 302]))

  const body = JSON.stringify({ url: link.shortUrl, reason: 'phishing', details: '\u001b[2Jno' })
  const headers = { 'content-type': 'application/json' }
  assert.equal((await world.call('POST', '/report-abuse', { body, headers })).status, 400)
  const report = JSON.stringify({ url: link.shortUrl, reason: 'phishing', details: 'a\u202Eb' })
  assert.equal((await world.call('POST', '/report-abuse', { body: report, headers })).status, 202)
  const [head = '', row = '', ...more] = (await cli('reports')).trimEnd().split('\n')
  assert.match(head, /^ID +TIME +REASON +LINK +URL +LEADS TO +DETAILS$/)
  assert.ok(row.includes(link.id), row)
  assert.match(row, /xn--pple-43d\.example \(mixed alphabets\) +a\?b$/)
  assert.deepEqual(more, [])
  const listed = JSON.parse(await cli('reports', '--json'))
  assert.deepEqual([listed.total, listed.reports[0].isMixedScript], [1, true])

  const text = await cli('block', 'link', link.shortUrl, '--reason', 'phishing')
  assert.match(text, /^The link .+ is blocked\.\n$/)
  await eventually(async () => assert.deepEqual(await visits(), [451, 451]))
  assert.match(await cli('blocks'), /^KIND .*\nlink +\S+ +1 .* phishing\n$/)
  const [entry] = (await owner.get(`/audit-log?targetId=${link.id}`)).body.data
  assert.deepEqual([entry.action, entry.actor.id], ['link.blocked', 'operator'])

  const { id } = listed.reports[0]
  assert.equal(await cli('reports', '--resolve', id), `${id} is resolved.\n`)
  assert.doesNotMatch(await cli('reports'), /phishing/)
  assert.match(await cli('reports', '--all'), /phishing/)
  const again = await runCli(['reports', '--resolve', id], { DATA_DIR: dataDir })
  assert.deepEqual([again.code, /There is no open report/.test(again.stderr)], [1, true])

  const file = freshImage()
  const image = await owner.post('/media', file, { 'content-type': 'image/png' })
  const sha256 = createHash('sha256').update(file).digest('hex')
  const blocked = await cli('block', 'image', `${world.origin}${publicPath(image.body.data.id)}`)
  assert.equal(blocked, `The image ${sha256} is blocked.\n`)
  await cli('unblock', 'image', image.body.data.id)
  await cli('unblock', 'link', link.shortUrl)
  await eventually(async () => assert.deepEqual(await visits(), [302, 302]))
})

const publicPath = (id: string) => `/media-public/${id}?size=small`
const MANUAL = { redirect: 'manual' } as const
