import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { makeCheckout, ROOT, type Checkout } from '../support/launcher-checkout.ts'

/** Content of `dashboard/build.js` in a made checkout. */
const BUILD = `
import { appendFileSync, writeFileSync } from 'node:fs'
appendFileSync('diary', 'built with ' + process.env.NODE_ENV + '\\n')
if (process.env.SECRET_KEY) throw new Error('a secret')
if (appended.includes('broken')) throw new Error('this source is broken')
writeFileSync(process.argv[2] + '/files.json', '{"files":[]}')
`

/** A checkout with the build of the server, and a dashboard that is built in no time. */
function makeDashboard(t: TestContext, content = 'whole'): Checkout {
  const checkout = makeCheckout(t, 'server')
  mkdirSync(join(checkout.folder, 'dashboard'))
  const build = `const appended = ${JSON.stringify(content)}\n${BUILD}`
  writeFileSync(join(checkout.folder, 'dashboard/build.js'), build)
  for (const name of ['build-dashboard.ts', 'api/dashboard-build'])
    cpSync(join(ROOT, 'src', name), join(checkout.folder, 'src', name), { recursive: true })
  return checkout
}

test('npm run build builds once, with the packages that the server has', async (t) => {
  const checkout = makeDashboard(t)
  const secrets = { SECRET_KEY: 'secret', NODE_ENV: 'development' }
  for (const says of [/was built in [\d.]+ s/, /is built already/]) {
    const build = checkout.launch(['build'], secrets)
    assert.equal(await build.ended, 0, build.stderr())
    assert.match(build.stderr(), says)
    assert.equal(build.stdout(), '')
  }
  assert.deepEqual(checkout.npmCalls(), [])
  const diary = readFileSync(join(checkout.folder, 'diary'), 'utf8')
  assert.equal(diary, 'built with production\n')
  const [build = ''] = readdirSync(join(checkout.folder, '.launch/dashboard'))
  assert.match(build, /^[0-9a-f]{64}$/)
})

test('npm run build that fails ends with 1, the cause, and one sentence', async (t) => {
  const checkout = makeDashboard(t, 'broken')
  const build = checkout.launch(['build'])
  assert.equal(await build.ended, 1)
  assert.match(build.stderr(), /this source is broken/)
  assert.match(
    build.stderr(),
    /\nsignpost: the dashboard could not be built: [^\n]*exit code 1\.\n$/,
  )
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/dashboard')), [])
})

test('two builds at once make one', async (t) => {
  const checkout = makeDashboard(t)
  const both = [checkout.launch(['build']), checkout.launch(['build'])]
  assert.deepEqual(await Promise.all(both.map(({ ended }) => ended)), [0, 0])
  assert.equal(readdirSync(join(checkout.folder, '.launch/dashboard')).length, 1)
})

test('what the dashboard is built with is installed without the packages of tests', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(ROOT, 'dashboard/package.json'), 'utf8'),
  ) as Record<'dependencies' | 'devDependencies', Record<string, string>>
  const files = globSync(['dashboard/build.js', 'dashboard/src/**/*.{ts,tsx,css}'], { cwd: ROOT })
  const imported = files.flatMap((file) =>
    Array.from(
      readFileSync(join(ROOT, file), 'utf8').matchAll(
        /(?:^import (?!type)(?:[^'";]* from )?|^@import |\bimport\()'(@[^/'.]+\/[^/']+|[a-z][^/':]*(?=['/]))/gm,
      ),
      ([, name]) => name!,
    ),
  )
  for (const name of ['vite', '@tailwindcss/vite', 'react-dom', 'tailwindcss'])
    assert.ok(imported.includes(name), name)
  for (const name of imported) {
    assert.ok(name in dependencies, name)
    assert.ok(!(name in devDependencies), name)
  }
})
