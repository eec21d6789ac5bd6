import assert from 'node:assert/strict'
import { test } from 'node:test'
import { builtDashboard } from '../support/dashboard-checkout.ts'
import { freshDatabases } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { freshDataDir, startProgram } from '../support/program.ts'
import { sendRaw } from '../support/raw-http.ts'
import { openWorld } from '../support/world.ts'

test('a browser that opens the server finds the dashboard, with all its files', async (t) => {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const urls = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }
  const program = await startProgram(t, freshDataDir(t), urls)
  assert.match(program.output().stderr, /^ {2}Dashboard {2}http:\/\/localhost:\d+\/app\/$/m)
  const page = await eventually(async () => {
    const answer = await fetch(`${program.origin}/`)
    assert.equal(answer.status, 200)
    return answer
  })
  assert.equal(page.url, `${program.origin}/app/`)
  const html = await page.text()
  const assets = Array.from(
    html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g),
    ([, path]) => path!,
  )
  assert.ok(assets.length >= 2, html)
  for (const path of assets) {
    const answer = await fetch(`${program.origin}${path}`)
    assert.equal(answer.status, 200)
    assert.match(answer.headers.get('cache-control')!, /immutable/)
    await answer.arrayBuffer()
  }
})

test('the dashboard belongs to PUBLIC_URL, where the root of the host of short links leads', async (t) => {
  const port = await freePort()
  const config = { publicUrl: 'https://app.example.com', shortUrl: 'https://go.example.com', port }
  await openWorld(t, { config, checkout: await builtDashboard() })
  // The absolute form names the host.
  const get = (url: string) => sendRaw(`http://127.0.0.1:${port}`, { path: url })
  for (const [host, location] of [
    ['app.example.com', '/app/'],
    ['go.example.com', 'https://app.example.com/app/'],
    ['localhost', '/app/'],
  ] as const) {
    const { status, headers } = await get(`http://${host}/`)
    assert.deepEqual([status, headers.location], [302, location], host)
  }
  assert.equal((await get('http://app.example.com/app/')).status, 200)
  for (const path of ['/app/', '/favicon.svg', '/robots.txt'])
    assert.equal((await get(`http://other.example.com${path}`)).status, 404, path)
})
