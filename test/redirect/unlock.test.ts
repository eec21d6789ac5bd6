import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { createSecrets } from '../../src/platform/core/secrets.ts'
import { createHttpsTest } from '../../src/redirect/hosts/https.ts'
import { PasswordAttempts } from '../../src/redirect/links/unlock.ts'
import { createLinkPasswordHashing } from '../../src/platform/work/password-hashing.ts'
import { openRateLimits } from '../../src/platform/limits/rate-limits.ts'
import { eventually } from '../support/eventually.ts'
import { hashCheaply } from '../support/fixtures.ts'
import { freePort } from '../support/free-port.ts'
import { SKIP_WITHOUT_REDIS, startRedis } from '../support/redis.ts'

const PASSWORD = 'quiet harbour lamp'
const workspaceId = 'wsp_own'
const log = openLog('silent')
const secrets = createSecrets('a secret key of this test')
const hashing = createLinkPasswordHashing(secrets, 'hashes')

async function openUnlock(redisUrl: string | null) {
  const rateLimits = await openRateLimits({ redisUrl, log })
  return { rateLimits, unlock: new PasswordAttempts({ secrets, rateLimits, log }) }
}

test('edges with one Redis count attempts together', { skip: SKIP_WITHOUT_REDIS }, async (t) => {
  hashCheaply(t)
  const port = await freePort()
  await startRedis(t, port)
  const edges = await Promise.all([1, 2].map(() => openUnlock(`redis://127.0.0.1:${port}`)))
  t.after(() => Promise.all(edges.map(({ rateLimits }) => rateLimits[Symbol.asyncDispose]())))
  const passwordHash = await hashing.hash(PASSWORD)
  let serial = 0
  // Another link where a command took so long that an edge counted by itself.
  await eventually(async () => {
    const lock = { linkId: `lnk_${++serial}`, workspaceId, passwordHash }
    const attempts = []
    for (let i = 0; i < 6; i++)
      attempts.push(await edges[i % 2]!.unlock.attempt(lock, '203.0.113.9', 'x'.repeat(257)))
    assert.deepEqual(attempts.slice(0, 5), Array(5).fill('wrong'))
    assert.equal(typeof attempts[5], 'object')
    assert.equal(typeof (await edges[1]!.unlock.attempt(lock, '203.0.113.9', PASSWORD)), 'object')
  })
})

test('without its Redis an edge allows a quarter of the attempts, by its own count', async (t) => {
  hashCheaply(t)
  const { rateLimits, unlock } = await openUnlock(`redis://127.0.0.1:${await freePort()}`)
  t.after(() => rateLimits[Symbol.asyncDispose]())
  const lock = { linkId: 'lnk_1', workspaceId, passwordHash: await hashing.hash(PASSWORD) }
  assert.equal(await unlock.attempt(lock, '203.0.113.9', 'wrong'), 'wrong')
  assert.equal(typeof (await unlock.attempt(lock, '203.0.113.9', PASSWORD)), 'object')
  assert.equal(await unlock.attempt(lock, '203.0.113.10', PASSWORD), 'right')
})

test('a hash that cannot be compared is unavailable, and takes no attempt', async () => {
  const { unlock } = await openUnlock(null)
  // A cost that no memory has room for.
  const passwordHash = `$argon2id$v=19$m=1,t=2,p=1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const lock = { linkId: 'lnk_1', workspaceId, passwordHash }
  for (let i = 0; i < 10; i++)
    assert.equal(await unlock.attempt(lock, '203.0.113.9', PASSWORD), 'unavailable')
  const good = { linkId: 'lnk_1', workspaceId, passwordHash: await hashing.hash(PASSWORD) }
  assert.equal(await unlock.attempt(good, '203.0.113.9', PASSWORD), 'right')
})

test('guesses of one network leave room for those of another', async () => {
  const { unlock } = await openUnlock(null)
  const passwordHash = await hashing.hash(PASSWORD)
  const flood = Array.from({ length: 40 }, (_, i) =>
    unlock.attempt(
      { linkId: `lnk_${i}`, workspaceId: `wsp_${i}`, passwordHash },
      '203.0.113.9',
      'wrong',
    ),
  )
  const own = await unlock.attempt(
    { linkId: 'lnk_own', workspaceId, passwordHash },
    '203.0.113.10',
    PASSWORD,
  )
  assert.equal(own, 'right')
  const answers = await Promise.all(flood)
  assert.equal(answers.filter((answer) => answer === 'wrong').length, 17)
  assert.equal(unlock.stats().waiting, 0)
})

test('passwords from many networks for links of one workspace leave room for those of another', async () => {
  const { unlock } = await openUnlock(null)
  const passwordHash = await hashing.hash(PASSWORD)
  const flood = Array.from({ length: 100 }, (_, i) =>
    unlock.attempt(
      { linkId: `lnk_${i}`, workspaceId: 'wsp_busy', passwordHash },
      `10.0.0.${i}`,
      PASSWORD,
    ),
  )
  const own = await unlock.attempt(
    { linkId: 'lnk_own', workspaceId, passwordHash },
    '203.0.113.10',
    PASSWORD,
  )
  assert.equal(own, 'right')
  const answers = await Promise.all(flood)
  assert.equal(answers.filter((answer) => answer === 'right').length, 17)
})

test('a request is on https by its configured host, else by what a trusted proxy says', () => {
  const origins = ['https://s.example', 'http://plain.example:3000']
  const isHttps = createHttpsTest(origins, (peer) => peer === '10.0.0.1')
  const ask = (host: string, peer: string, proto?: string) =>
    isHttps(host, {
      headers: proto === undefined ? {} : { 'x-forwarded-proto': proto },
      socket: { remoteAddress: peer },
    } as never)
  assert.equal(ask('s.example', '203.0.113.9'), true)
  assert.equal(ask('plain.example:3000', '10.0.0.1', 'https'), false)
  assert.equal(ask('other.example', '10.0.0.1', 'http, HTTPS'), true)
  assert.equal(ask('other.example', '10.0.0.1', 'https, http'), false)
  assert.equal(ask('other.example', '203.0.113.9', 'https'), false)
  assert.equal(ask('other.example', '10.0.0.1'), false)
})
