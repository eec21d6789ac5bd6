import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openDashboard } from '../../src/api/site/open-dashboard.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { ensureBuild } from '../../src/api/dashboard-build/build.ts'
import { LOGO_PATHS } from '../../src/platform/http/html.ts'
import { CHECKOUT, makeDashboardCheckout } from '../support/dashboard-checkout.ts'
import { eventually, until } from '../support/eventually.ts'

async function open(t: TestContext, checkout: string) {
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  const dashboard = await openDashboard({ checkout, log })
  t.after(() => dashboard[Symbol.asyncDispose]())
  return { dashboard, lines }
}

const isReady = ({ dashboard }: Awaited<ReturnType<typeof open>>) =>
  typeof dashboard.getPage('index.html') === 'object'

test('the first start answers while it builds, and the second builds nothing', async (t) => {
  const checkout = makeDashboardCheckout('one')
  const first = await open(t, checkout.folder)
  assert.equal(first.dashboard.getPage('index.html'), 'building')
  await until(() => isReady(first))
  assert.ok(first.dashboard.find('assets/one.js'))

  const second = await open(t, checkout.folder)
  assert.ok(isReady(second))
  assert.deepEqual(second.lines, [])
  assert.equal(checkout.builds().length, 1)
})

test('the assets of the build before are served for open tabs, during the build too', async (t) => {
  const checkout = makeDashboardCheckout('one')
  await ensureBuild(checkout.folder)
  checkout.rename('two')
  const running = await open(t, checkout.folder)
  assert.equal(running.dashboard.getPage('index.html'), 'building')
  assert.ok(running.dashboard.find('assets/one.js'))
  assert.equal(running.dashboard.find('index.html'), undefined)
  await until(() => isReady(running))
  assert.ok(running.dashboard.find('assets/one.js'))
  assert.ok(running.dashboard.find('assets/two.js'))

  checkout.rename('three')
  const next = await open(t, checkout.folder)
  await until(() => isReady(next))
  assert.equal(next.dashboard.find('assets/one.js'), undefined)
  assert.ok(next.dashboard.find('assets/two.js'))
  // A process that runs has its files in memory.
  assert.ok(running.dashboard.find('assets/one.js'))
})

test('a failed build is one error in the log, and a later build is found', async (t) => {
  const checkout = makeDashboardCheckout('fails')
  const running = await open(t, checkout.folder)
  await until(() => running.dashboard.getPage('index.html') === 'failed')
  const [line, ...others] = running.lines.map((text) => JSON.parse(text))
  assert.deepEqual(others, [])
  assert.equal(line.level, 'error')
  assert.match(line.msg, /could not be built.*npm run build/)
  assert.match(line.reason, /exit code 1/)
  assert.match(line.output, /this is no name/)

  checkout.rename('right')
  await ensureBuild(checkout.folder)
  await eventually(() => assert.ok(isReady(running)))
  assert.ok(running.dashboard.find('assets/right.js'))
})

test('a checkout that cannot be written to is served from its build', async (t) => {
  const checkout = makeDashboardCheckout('one')
  const unbuilt = makeDashboardCheckout('one')
  writeFileSync(join(unbuilt.folder, '.launch'), 'a file where the folder would be')
  const failing = await open(t, unbuilt.folder)
  await until(() => failing.dashboard.getPage('index.html') === 'failed')
  assert.match(failing.lines.join(''), /cannot be written/)

  await ensureBuild(checkout.folder)
  assert.ok(isReady(await open(t, checkout.folder)))
})

test('a server that stops ends its build', async () => {
  const checkout = makeDashboardCheckout('hangs')
  const lines: string[] = []
  const log = openLog('info', { write: (line: string) => void lines.push(line) })
  // Ctrl-C tells the server first, and the build gets its signal too.
  const stop = new AbortController()
  const dashboard = await openDashboard({ checkout: checkout.folder, log, stop: stop.signal })
  await until(() => checkout.builds().length === 1)
  stop.abort()
  await until(() => lines.length > 0)
  await dashboard[Symbol.asyncDispose]()
  const [line, ...others] = lines.map((text) => JSON.parse(text) as { level: string; msg: string })
  assert.deepEqual(others, [])
  assert.equal(line!.level, 'info')
  assert.match(line!.msg, /stopped before the dashboard was built/)
})

test('the dashboard draws the logo of the server', { skip: !hasLogo() }, () => {
  const source = readFileSync(join(CHECKOUT, 'dashboard/src/kit/logo.tsx'), 'utf8')
  for (const path of Object.values(LOGO_PATHS)) assert.ok(source.includes(`d="${path}"`), path)
})

function hasLogo(): boolean {
  try {
    readFileSync(join(CHECKOUT, 'dashboard/src/kit/logo.tsx'))
    return true
  } catch {
    return false
  }
}
