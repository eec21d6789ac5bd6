import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import packageJson from '../../package.json' with { type: 'json' }
import { selfSigned } from '../support/certificates.ts'
import { freshFolder } from '../support/fixtures.ts'
import { eventually, openWorld } from '../support/world.ts'
import { generatePythonClient } from './python-client.ts'
import { operationsOf } from './operations.ts'

const ROOT = join(import.meta.dirname, '../..')
const CLIENT = join(ROOT, 'clients/python')
const SOURCES = join(CLIENT, 'src/signpost_client')

/** The last lines of a program say why it failed. */
async function run(program: string, args: string[], options: { cwd?: string; env?: object } = {}) {
  const { env, ...rest } = options
  try {
    return await promisify(execFile)(program, args, { ...rest, env: { ...process.env, ...env } })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const said = `${stdout.slice(-8000)}${stderr.slice(-2000)}`
    throw new Error(`${program} ${args.join(' ')}\n${said}`, { cause: error })
  }
}

const whyNot = await run('python3', [
  '-c',
  'import sys, venv; sys.exit(sys.version_info < (3, 11))',
]).then(
  () => false,
  () => 'needs python3 with venv, 3.11 or later',
)

test('the generated files of the Python client are those of the OpenAPI document', async (t) => {
  const world = await openWorld(t)
  const { body } = await world.call('GET', '/v1/openapi.json')
  for (const [name, text] of Object.entries(generatePythonClient(body))) {
    const file = join(SOURCES, name)
    if (process.env.WRITE_CLIENTS === '1') writeFileSync(file, text)
    const message = `${name} is out of date: run "npm run clients"`
    assert.ok(readFileSync(file, 'utf8') === text, message)
  }
})

test(
  'the Python client type-checks, makes a wheel and works with the server',
  { skip: whyNot },
  async (t) => {
    const folder = freshFolder()
    await run('python3', ['-m', 'venv', folder])
    const python = join(folder, 'bin/python')
    const wheel = join(folder, `signpost_client-${packageJson.version}-py3-none-any.whl`)
    await run(python, ['-m', 'pip', 'wheel', '-q', '--no-deps', '-w', folder, CLIENT])
    await run(python, ['-m', 'pip', 'install', '-q', wheel, 'mypy', 'pytest'])

    await t.test('the wheel has the version of the API, and the package alone', async () => {
      const { stdout } = await run(python, ['-m', 'zipfile', '-l', wheel])
      const files = stdout
        .split('\n')
        .slice(1, -1)
        .map((line) => line.split(/\s/)[0]!)
      const meta = `signpost_client-${packageJson.version}.dist-info`
      assert.deepEqual(files.toSorted(), [
        ...['METADATA', 'RECORD', 'WHEEL', 'licenses/LICENSE'].map((name) => `${meta}/${name}`),
        ...[
          '__init__.py',
          '_async_resources.py',
          '_async_transport.py',
          '_errors.py',
          '_protocol.py',
          '_resources.py',
          '_transport.py',
          'client.py',
          'errors.py',
          'py.typed',
          'types.py',
          'webhooks.py',
        ].map((name) => `signpost_client/${name}`),
      ])
    })

    await t.test('its types hold, and its tests know the API by them', async () => {
      await run(python, ['-m', 'mypy', 'src', 'tests'], { cwd: CLIENT })
    })

    await t.test('the samples of the document are programs for it', async (each) => {
      const samples = join(folder, 'samples')
      mkdirSync(samples)
      const { body } = await (await openWorld(each)).call('GET', '/v1/openapi.json')
      for (const { operation } of operationsOf(body)) {
        const { source } = operation['x-codeSamples'].find(({ lang }) => lang === 'python')!
        writeFileSync(join(samples, `${operation.operationId}.py`), source)
      }
      await run(python, ['-m', 'mypy', '--strict', '--scripts-are-modules', samples])
    })

    await t.test('its tests pass with the running server', async (each) => {
      const env = { SIGNPOST_TEST: JSON.stringify(await openServer(each)) }
      await run(python, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'], {
        cwd: CLIENT,
        env,
      })
    })
  },
)

/** A server, and keys that lack something. */
async function openServer(t: TestContext) {
  const world = await openWorld(t, {
    isClockReal: true,
    config: { egressAllowedCidrs: ['127.0.0.0/8'], webhookAllowHttp: true },
  })
  const [owner, free] = [await world.member(), await world.member()]
  await world.sql`update workspaces set plan = 'free' where id = ${free.workspaceId}`
  const session = await world.session(owner)
  const keyOf = async (facts: object): Promise<string> =>
    (await session.post('/api-keys', { name: 'Key', ...facts })).body.data.key
  const expiredKey = await keyOf({ expiresAt: new Date(Date.now() + 1000).toISOString() })
  await eventually(async () => {
    const headers = { authorization: `Bearer ${expiredKey}` }
    assert.equal((await fetch(`${world.origin}/v1/links`, { headers })).status, 401)
  })
  const { cert, key } = selfSigned(['localhost'])
  const certificate = join(freshFolder(), 'certificate.pem')
  writeFileSync(certificate, `${key}\n${cert}`)
  return {
    origin: world.origin,
    apiKey: owner.apiKey,
    readingKey: await keyOf({ scopes: ['links:read'] }),
    expiredKey,
    freeKey: free.apiKey,
    vectors: join(ROOT, 'docs/webhook-signature-vectors.json'),
    certificate,
  }
}
