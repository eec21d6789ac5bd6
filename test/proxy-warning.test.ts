import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../src/platform/core/log.ts'
import { eventually, openWorld } from './support/world.ts'

test('a proxy that is not configured is logged once by each process', async (t) => {
  const lines: string[] = []
  const world = await openWorld(t, {
    log: openLog('warn', { write: (line: string) => void lines.push(line) }),
  })
  const told = () => lines.filter((line) => line.includes('TRUSTED_PROXIES is not set'))
  const member = await world.member()
  const link = { name: 'One', destinationUrl: 'https://example.com/' }
  const { slug } = (await member.post('/links', link)).body.data
  assert.equal(told().length, 0)
  const headers = { 'x-forwarded-for': '198.51.100.7' }
  // The lookup of the first visit may exceed its time.
  await eventually(async () => {
    const { status } = await world.call('GET', `/${slug}`, { headers, redirect: 'manual' })
    assert.equal(status, 302)
  })
  for (let i = 0; i < 2; i++) {
    await member.get('/links', headers)
    await world.call('GET', `/${slug}`, { headers, redirect: 'manual' })
    assert.equal(told().length, 2)
  }
  assert.doesNotMatch(told()[0]!, /198\.51\.100\.7|127\.0\.0\.1|::1/)
})
