import assert from 'node:assert/strict'
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeCheckout, run } from '../support/launcher-checkout.ts'
import { IS_LONG } from '../support/long.ts'

/** The registry of the operator who runs the tests; npm takes an empty setting for none. */
const REGISTRY = {
  npm_config_registry: process.env['npm_config_registry'] ?? '',
  npm_config_fetch_retries: '2',
}

/** Settings of a machine that would each install something else than the lockfile says. */
const HOSTILE = {
  NODE_ENV: 'production',
  npm_config_omit: 'optional',
  npm_config_engine_strict: 'true',
  npm_config_package_lock: 'false',
  npm_config_bin_links: 'false',
  npm_config_install_strategy: 'nested',
}

test(
  'npm itself installs for the server, adds for the tests, and is not needed again',
  { skip: IS_LONG ? false : 'installs 1 GB: npm run test:long', timeout: 600_000 },
  async (t) => {
    const { folder } = makeCheckout(t, 'nothing')
    mkdirSync(join(folder, 'test'))
    writeFileSync(
      join(folder, 'test/one.test.ts'),
      `import { test } from 'node:test'\ntest('passes', () => {})\n`,
    )
    const command = ['run', '-s', 'signpost', '--', 'x']
    const node = join(folder, `node_modules/node-${process.platform}-${process.arch}/bin/node`)

    const first = run(t, 'npm', command, folder, { ...REGISTRY, ...HOSTILE })
    assert.equal(await first.ended, 0, first.stderr())
    assert.deepEqual(JSON.parse(first.stdout()), { args: ['x'], node: process.version })
    assert.equal(existsSync(join(folder, 'node_modules/typescript')), false)
    const installed = statSync(node).ino

    const tests = run(t, 'npm', ['test'], folder, { ...REGISTRY, ...HOSTILE })
    assert.equal(await tests.ended, 0, tests.stderr())
    assert.match(tests.stdout(), /pass 1/)
    assert.equal(existsSync(join(folder, 'node_modules/typescript')), true)
    assert.equal(statSync(node).ino, installed)

    const offline = run(t, 'npm', command, folder, {})
    assert.equal(await offline.ended, 0, offline.stderr())
    assert.doesNotMatch(offline.stderr(), /installing/)
  },
)
