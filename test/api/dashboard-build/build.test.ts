import assert from 'node:assert/strict'
import { existsSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { test } from 'node:test'
import { BuildError, ensureBuild } from '../../../src/api/dashboard-build/build.ts'
import { isComplete } from '../../../src/api/dashboard-build/builds.ts'
import { makeDashboardCheckout } from '../../support/dashboard-checkout.ts'
import { until } from '../../support/eventually.ts'

test('a build is made once, and again when the sources or the packages change', async () => {
  const checkout = makeDashboardCheckout('one')
  const first = await ensureBuild(checkout.folder)
  assert.deepEqual(await ensureBuild(checkout.folder), { ...first, isNew: false })
  assert.equal(checkout.builds().length, 1)
  assert.ok(existsSync(join(first.folder, 'assets/one.js.br')))

  checkout.rename('two')
  const second = await ensureBuild(checkout.folder)
  assert.notEqual(second.folder, first.folder)
  writeFileSync(join(checkout.folder, 'package-lock.json'), '{"packages":{}}')
  const third = await ensureBuild(checkout.folder)
  assert.notEqual(third.folder, second.folder)
  assert.equal(checkout.builds().length, 3)
})

test('a build gets no variable of the process that may be a secret', async () => {
  const checkout = makeDashboardCheckout('one')
  await ensureBuild(checkout.folder)
  const [environment = {}] = checkout.builds()
  // The loader of the system may add one of its own.
  const { NODE_ENV, ...others } = environment
  assert.equal(NODE_ENV, 'production')
  assert.deepEqual(
    Object.keys(others).filter((name) => !/^(__|LC_|PWD$)/.test(name)),
    [],
  )
})

test('two processes that build at once leave one complete build and nothing else', async () => {
  const checkout = makeDashboardCheckout('one')
  const both = await Promise.all([ensureBuild(checkout.folder), ensureBuild(checkout.folder)])
  assert.equal(both[0].folder, both[1].folder)
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/dashboard')), [
    basename(both[0].folder),
  ])
  assert.ok(await isComplete(both[0].folder))
})

test('the build before stays, and older ones and remains are removed', async () => {
  const checkout = makeDashboardCheckout('one')
  const home = join(checkout.folder, '.launch/dashboard')
  const { folder: one } = await ensureBuild(checkout.folder)
  checkout.rename('two')
  const { folder: two } = await ensureBuild(checkout.folder)
  // Used again after the second, so that it is the one before the third.
  const [hourAgo, dayAgo] = [3_600, 86_400].map((seconds) => Date.now() / 1_000 - seconds)
  utimesSync(two, dayAgo!, dayAgo!)
  utimesSync(one, hourAgo!, hourAgo!)
  await ensureBuild(makeStray(home, 'making-1', dayAgo!) && checkout.folder)
  checkout.rename('three')
  const { folder: three } = await ensureBuild(checkout.folder)
  assert.deepEqual(readdirSync(home).toSorted(), [basename(one), basename(three)].toSorted())
})

function makeStray(home: string, name: string, atS: number): true {
  writeFileSync(join(home, name), '')
  utimesSync(join(home, name), atS, atS)
  return true
}

test('sources that change while they are built are built again', async () => {
  const checkout = makeDashboardCheckout('moves')
  const { folder, isNew } = await ensureBuild(checkout.folder)
  assert.ok(isNew)
  assert.equal(checkout.builds().length, 2)
  assert.ok(existsSync(join(folder, 'assets/moved.js')))
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/dashboard')), [basename(folder)])
  assert.deepEqual(await ensureBuild(checkout.folder), { folder, isNew: false })
})

test('a build that lost content is replaced', async () => {
  const checkout = makeDashboardCheckout('one')
  const { folder } = await ensureBuild(checkout.folder)
  truncateSync(join(folder, 'assets/one.js.br'), 3)
  assert.deepEqual(await ensureBuild(checkout.folder), { folder, isNew: true })
  assert.ok(await isComplete(folder))
  rmSync(join(folder, 'files.json'))
  assert.equal(await isComplete(folder), false)
})

test('a failed build says what its tools said, and leaves nothing', async () => {
  const checkout = makeDashboardCheckout('fails')
  await assert.rejects(ensureBuild(checkout.folder), (error) => {
    assert.ok(error instanceof BuildError)
    assert.match(error.message, /exit code 1/)
    assert.match(error.output, /name\.txt:1: this is no name/)
    return true
  })
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/dashboard')), [])
})

test('a folder that cannot be written to is named', async () => {
  const checkout = makeDashboardCheckout('one')
  writeFileSync(join(checkout.folder, '.launch'), 'a file where the folder would be')
  await assert.rejects(
    ensureBuild(checkout.folder),
    /\.launch\/dashboard cannot be written \(ENOTDIR\)/,
  )
})

test('a build that is stopped ends and leaves nothing', async () => {
  const checkout = makeDashboardCheckout('hangs')
  const stop = new AbortController()
  const building = ensureBuild(checkout.folder, stop.signal)
  await until(() => checkout.builds().length === 1)
  stop.abort(new Error('stopped'))
  await assert.rejects(building, /stopped/)
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/dashboard')), [])
})
