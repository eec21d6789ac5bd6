import assert from 'node:assert/strict'
import { test } from 'node:test'
import { edgeKnows } from '../support/edge-knows.ts'
import { freshDataDir, runCli, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

/** Headers of browsers, with the expected values of the analytics. */
const BROWSERS = [
  {
    agent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    device: 'desktop',
    browser: 'Chrome',
    os: 'Windows',
  },
  {
    agent:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    device: 'mobile',
    browser: 'Safari',
    os: 'iOS',
  },
  {
    agent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36',
    device: 'mobile',
    browser: 'Chrome',
    os: 'Android',
  },
  {
    agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0',
    device: 'desktop',
    browser: 'Firefox',
    os: 'Linux',
  },
  {
    agent:
      'Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/16.6 Mobile/15E148 Safari/604.1',
    device: 'tablet',
    browser: 'Safari',
    os: 'iOS',
  },
] as const

const CLICKS = 50

test('a stranger makes a key and a link, and sees fifty clicks counted', async (t) => {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir, { TRUSTED_PROXIES: '1' })

  const made = await runCli(['bootstrap', '--email', 'first@example.com', '--json'], {
    DATA_DIR: dataDir,
  })
  assert.equal(made.code, 0, made.stderr)
  const account = JSON.parse(made.stdout) as Record<string, string>
  assert.deepEqual(Object.keys(account), ['userId', 'workspaceId', 'apiKey'])
  const owner = callsWith(account['apiKey']!, program.origin)

  const destinationUrl = 'https://example.com/docs?lang=en'
  const { status, body } = await owner.post('/links', {
    name: 'Docs',
    destinationUrl,
    slug: 'Docs',
  })
  assert.equal(status, 201)

  await edgeKnows(program.origin, owner, 'docs')
  const expected = { device: count(), browser: count(), os: count(), referrer: count() }
  for (let i = 0; i < CLICKS; i++) {
    const browser = BROWSERS[i % BROWSERS.length]!
    const referrer = i % 2 === 0 ? 'https://www.news.example/story' : undefined
    const answer = await fetch(`${program.origin}/docs`, {
      redirect: 'manual',
      headers: {
        'user-agent': browser.agent,
        'x-forwarded-for': `198.51.100.${i % 7}`,
        ...(referrer && { referer: referrer }),
      },
    })
    assert.equal(answer.status, 302)
    assert.equal(answer.headers.get('location'), destinationUrl)
    await answer.arrayBuffer()
    expected.device.add(browser.device)
    expected.browser.add(browser.browser)
    expected.os.add(browser.os)
    expected.referrer.add(referrer ? 'news.example' : 'direct')
  }
  const crawler = { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' }
  await fetch(`${program.origin}/Docs`, { redirect: 'manual', headers: crawler })
  await fetch(`${program.origin}/docs`, { method: 'HEAD', redirect: 'manual' })

  const analytics = await eventually(async () => {
    const answer = await owner.get(`/analytics/links/${body.data.id}?days=30`)
    assert.equal(answer.body.data.totalClicks, CLICKS)
    assert.equal(answer.body.data.botClicks, 1)
    return answer.body.data
  }, 60_000)
  assert.deepEqual(analytics.link, { id: body.data.id, slug: 'Docs' })
  assert.equal(analytics.periodClicks, CLICKS)
  assert.equal(analytics.periodChangePercent, 100)
  // Five agents on seven addresses, in steps that meet every pair.
  assert.equal(analytics.uniqueVisitors, 35)
  for (const [name, counter] of Object.entries(expected))
    assert.deepEqual(analytics.breakdowns[name], Object.fromEntries(counter.counts), name)

  await eventually(async () => {
    const { body: read } = await owner.get(`/links/${body.data.id}`)
    assert.equal(read.data.clicks, CLICKS)
  })

  assert.equal(await program.stop(), 0)
  const again = await startProgram(t, dataDir)
  const later = callsWith(account['apiKey']!, again.origin)
  const { body: kept } = await later.get(`/analytics/links/${body.data.id}`)
  assert.equal(kept.data.totalClicks, CLICKS)
})

function count() {
  const counts = new Map<string, number>()
  return { counts, add: (label: string) => counts.set(label, (counts.get(label) ?? 0) + 1) }
}
