import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { callsAs } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { freshFolder } from '../support/fixtures.ts'

const CHECKOUT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 180_000

test('the demo signs in once, counts what it wrote to the journal, and leaves nothing behind', async (t) => {
  const demo = await startDemo(t)
  const first = await fetch(demo.link, { redirect: 'manual' })
  assert.equal(first.status, 302)
  const cookie = first.headers.getSetCookie()[0]!.split(';')[0]!
  const second = await fetch(demo.link, { redirect: 'manual' })
  assert.deepEqual([second.status, second.headers.getSetCookie()], [404, []])

  const page = new URL(first.headers.get('location')!)
  const { get } = callsAs(page.origin, () => ({ cookie, origin: page.origin }))
  const session = (await get('/auth/session')).body.data
  assert.equal(page.pathname, `/app/${session.workspace.id}`)
  // The visitors that the demo sends from now on come later.
  const start = new Date(Date.parse(demo.readyAt) - 61 * 86_400_000).toISOString()
  const period = `start=${start}&end=${demo.readyAt}&includeBots=true`
  await eventually(async () => {
    const { body } = await get(`/analytics/overview?${period}`)
    assert.equal(body.data.periodClicks, demo.clicks, JSON.stringify(body))
  })
  const series = (await get(`/analytics/timeseries?${period}&granularity=day`)).body.data
  const counts = series.map(({ clicks }: { clicks: number }) => clicks) as number[]
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    demo.clicks,
  )
  assert.ok(counts.filter((count) => count > 0).length >= 58, String(counts))

  const dead = (await get('/webhooks/deliveries?status=dead_letter')).body.data
  assert.equal(dead.length, 3)
  assert.equal((await get('/members')).body.data.length, 5)
  assert.equal(await demo.stop(), 0)
  assert.deepEqual(readdirSync(demo.temporary), [])
})

/** Starts the demo with few clicks, in a folder for temporary files of its own. */
async function startDemo(t: TestContext) {
  const temporary = freshFolder()
  const child = spawn(process.execPath, ['demo/main.ts', '--clicks=40'], {
    cwd: CHECKOUT,
    env: { ...process.env, PORT: '0', TMPDIR: temporary },
    stdio: ['ignore', 'inherit', 'pipe'],
  })
  const closed = once(child, 'close') as Promise<[number | null]>
  const stop = async () => {
    child.kill('SIGINT')
    return (await closed)[0]
  }
  t.after(stop)
  let output = ''
  let readyAt = ''
  child.stderr.on('data', (chunk) => {
    output += String(chunk)
    readyAt ||= output.includes('signs you in') ? new Date().toISOString() : ''
  })
  return eventually(() => {
    assert.equal(child.exitCode, null, output)
    const clicks = /([\d,]+) clicks/.exec(output)?.[1]
    const link = /http:\S+/.exec(output)?.[0]
    assert.ok(clicks !== undefined && link !== undefined, output)
    return { temporary, readyAt, link, clicks: Number(clicks.replaceAll(',', '')), stop }
  }, START_TIMEOUT_MS)
}
