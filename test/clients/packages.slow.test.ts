import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { freshFolder } from '../support/fixtures.ts'
import { openWorld } from '../support/world.ts'

const ROOT = join(import.meta.dirname, '../..')
const LAUNCHER = '../../bin/launcher/install.js'
const { findNpm } = (await import(LAUNCHER)) as { findNpm: () => [string, ...string[]] }
const TSC = join(ROOT, 'node_modules/typescript/bin/tsc')
const run = promisify(execFile)

async function npm(args: string[], cwd: string): Promise<string> {
  const [file, ...first] = findNpm()
  return (await run(file, [...first, ...args, '--loglevel=error'], { cwd })).stdout
}

/** A project with the packed clients, installed without the network. */
async function install() {
  const { stdout } = await run(process.execPath, [join(ROOT, 'clients/pack.js')])
  const [client = '', cli = ''] = stdout.trim().split('\n')
  const folder = freshFolder()
  writeFileSync(join(folder, 'package.json'), '{"name":"project","type":"module"}')
  await npm(['install', '--offline', client, cli], folder)
  return { folder, client, cli }
}

async function contentsOf(packed: string): Promise<string[]> {
  return (await run('tar', ['-tzf', packed])).stdout.trim().split('\n').toSorted()
}

const ABOUT = ['package/LICENSE', 'package/README.md', 'package/package.json']
const MODULES = ['call', 'client', 'errors', 'errors.gen', 'events.gen', 'index', 'live']
MODULES.push('methods.gen', 'request', 'types.gen', 'webhooks')

const USE = `
import { createClient, ConflictError, type Link } from '@signpost/client'
import { verify } from '@signpost/client/webhooks'

export async function use(client = createClient({ baseUrl: 'http://localhost:3000' })) {
  const link: Link = await client.links.create({ name: 'Docs', destinationUrl: 'https://example.com/' })
  for await (const { clicks } of client.links.list({ sortBy: 'clicks' })) clicks.toFixed()
  const { meta } = await client.folders.list().answer()
  meta.total.toFixed()
  const event = await verify('{}', new Headers(), 'whsec_1')
  if (event.type === 'click.received') event.data.clickId.trim()
  if (event.type === 'link.created') event.data.name.trim()
  return link
}

export function reasonOf(error: unknown) {
  return error instanceof ConflictError && 'reason' in error.details ? error.details.reason : null
}

declare const client: ReturnType<typeof createClient>
// @ts-expect-error a destination is required
void client.links.create({ name: 'Docs' })
// @ts-expect-error an order that does not exist
void client.links.list({ sortBy: 'color' })
// @ts-expect-error a file is a Blob
void client.media.upload({ file: 'text' })
`

test('the packed client has what its users need and nothing else, installs offline, and type-checks', async () => {
  const { folder, client } = await install()
  assert.deepEqual(
    await contentsOf(client),
    MODULES.flatMap((name) => [`package/dist/${name}.d.ts`, `package/dist/${name}.js`])
      .concat(ABOUT)
      .toSorted(),
  )
  const installed = join(folder, 'node_modules/@signpost/client')
  const scripts = MODULES.map((name) => readFileSync(join(installed, 'dist', `${name}.js`)))
  assert.ok(gzipSync(Buffer.concat(scripts)).length <= 15_000)

  writeFileSync(join(folder, 'use.ts'), USE)
  for (const lib of [
    ['esnext', 'dom'],
    ['esnext', 'dom', 'dom.iterable', 'dom.asynciterable'],
  ]) {
    const compilerOptions = { target: 'esnext', module: 'nodenext', strict: true, noEmit: true }
    const options = { ...compilerOptions, lib, types: [], exactOptionalPropertyTypes: true }
    const config = { compilerOptions: options, files: ['use.ts'] }
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
    const checked = await run(process.execPath, [TSC, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    assert.equal(checked.stdout, '')
  }
})

test('the first program of the documentation runs as written', async (t) => {
  const world = await openWorld(t)
  const { apiKey } = await world.member()
  const { folder } = await install()
  const page = readFileSync(join(ROOT, 'docs/typescript.md'), 'utf8')
  const [, first] = /^```js\n(.*?)^```/ms.exec(page)!
  writeFileSync(join(folder, 'first.js'), first!.replace('http://localhost:3000', world.origin))
  const { stdout } = await run(process.execPath, ['first.js'], {
    cwd: folder,
    env: { ...process.env, KEY: apiKey },
  })
  assert.match(stdout, /^http.*\/\w{7}\n0\nhttp.*\/\w{7} 0\n$/)
})

test('the packed command line has no packages of the server, and runs', async () => {
  const { folder, cli } = await install()
  const own = [
    'account',
    'command',
    'completion',
    'links',
    'main',
    'mcp',
    'numbers',
    'oauth',
    'qr',
    'run',
  ]
  own.push('sign-in')
  const ofClient = MODULES.filter((name) => name !== 'webhooks')
  assert.deepEqual(
    await contentsOf(cli),
    [
      ...own.concat('webhooks').map((name) => `package/dist/cli/src/${name}.js`),
      ...ofClient.map((name) => `package/dist/typescript/src/${name}.js`),
      ...ABOUT,
    ].toSorted(),
  )
  const { stdout } = await run(join(folder, 'node_modules/.bin/signpost'), ['help'])
  assert.match(stdout, /^ {2}shorten URL/m)
  const failed = await run(join(folder, 'node_modules/.bin/signpost'), ['fly']).catch(
    (error: { code: number; stderr: string }) => error,
  )
  assert.equal('code' in failed && failed.code, 2)
  assert.match(failed.stderr, /^signpost: There is no command "fly"/)
})
