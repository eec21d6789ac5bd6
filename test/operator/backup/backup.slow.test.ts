import assert from 'node:assert/strict'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { callsWith } from '../../support/calls.ts'
import { emptyDatabases } from '../../support/engines.ts'
import { eventually } from '../../support/eventually.ts'
import { freshFolder } from '../../support/fixtures.ts'
import {
  bootstrapKey,
  freshDataDir,
  type Program,
  runCli,
  runProgram,
  startProgram,
} from '../../support/program.ts'

const CLICKS = 40
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'

type Installation = {
  dataDir: string
  program: Program
  apiKey: string
  slug: string
  linkId: string
}

async function install(t: TestContext): Promise<Installation> {
  const dataDir = freshDataDir(t)
  const program = await startProgram(t, dataDir)
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  const calls = callsWith(apiKey, program.origin)
  const { data } = (
    await calls.post('/links', {
      name: 'A link',
      destinationUrl: 'https://example.com/',
    })
  ).body
  return { dataDir, program, apiKey, slug: data.slug, linkId: data.id }
}

async function click({ program, slug }: Installation, times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const answer = await fetch(`${program.origin}/${slug}`, {
      redirect: 'manual',
      headers: { 'user-agent': BROWSER },
    })
    assert.equal(answer.status, 302)
  }
}

async function totalOf(origin: string, { apiKey, linkId }: Installation): Promise<number> {
  const { body } = await callsWith(apiKey, origin).get(`/analytics/links/${linkId}`)
  return body.data.totalClicks
}

/** Everything in a folder but sockets, by path. */
function contentOf(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return new Map(
    files.map(({ parentPath, name }) => {
      const bytes = readFileSync(join(parentPath, name))
      return [join(parentPath, name), createHash('sha256').update(bytes).digest('hex')]
    }),
  )
}

async function refused(
  args: string[],
  env: Record<string, string>,
  message: RegExp,
): Promise<void> {
  const { code, stdout, stderr } = await runCli(args, env)
  assert.match(stderr, message)
  assert.match(stderr, /^signpost: [^\n]+\.\n$/)
  assert.equal(stdout, '')
  assert.equal(code, 1)
}

test('a backup of a running server restores every click that was answered before it, and bad ones are refused', async (t) => {
  const installation = await install(t)
  const { dataDir, program } = installation
  const folder = join(freshFolder(), 'backup')
  const keyFile = join(freshFolder(), 'signpost.key')
  await click(installation, CLICKS)
  let isBackedUp = false
  let during = 0
  const clicking = (async () => {
    for (; !isBackedUp; during++) await click(installation, 1)
  })()
  const made = await runCli(['backup', '--to', folder, '--key-to', keyFile], { DATA_DIR: dataDir })
  isBackedUp = true
  await clicking
  assert.equal(made.code, 0, made.stderr)
  assert.ok(during > 0)
  assert.ok(!existsSync(join(folder, 'secret.key')))

  await t.test('its check compares every total', async () => {
    const checked = await runCli(['backup', '--check', folder], { DATA_DIR: dataDir })
    assert.equal(checked.code, 0, checked.stderr + checked.stdout)
    assert.match(checked.stdout, /Counters +1 links compared, 0 differ/)
    assert.deepEqual(readdirSync(join(folder, '..')), ['backup'])
  })

  await t.test('a folder in use is refused as a target, and is not changed', async () => {
    const before = existsSync(join(dataDir, 'restore.incomplete'))
    await refused(['restore', folder], { DATA_DIR: dataDir }, /is in use/)
    assert.equal(existsSync(join(dataDir, 'restore.incomplete')), before)
    await refused(['backup', '--to', folder], { DATA_DIR: dataDir }, /exists and is not empty/)
  })

  await t.test(
    'a folder or a key file that cannot be made is refused, and nothing is left',
    async () => {
      const env = { DATA_DIR: dataDir }
      for (const impossible of [
        '/dev/null/backup',
        ...(existsSync('/proc/self') ? ['/proc/backup'] : []),
      ])
        await refused(['backup', '--to', impossible], env, /cannot be created/)
      const parent = freshFolder()
      const to = ['--to', join(parent, 'backup')]
      const noFolder = join(parent, 'none', 'signpost.key')
      await refused(['backup', ...to, '--key-to', noFolder], env, /signpost.key cannot be written/)
      const unused = join(parent, 'signpost.key')
      const inFile = ['--to', '/dev/null/backup']
      await refused(['backup', ...inFile, '--key-to', unused], env, /cannot be created/)
      assert.deepEqual(readdirSync(parent), [])
    },
  )

  await t.test('what cannot be restored is refused, and nothing is written', async () => {
    const target = freshFolder()
    writeFileSync(join(target, 'a-file'), 'kept')
    const before = contentOf(target)
    await refused(['restore', folder], { DATA_DIR: target }, /is not empty/)
    assert.deepEqual(contentOf(target), before)

    const absent = join(freshFolder(), 'data')
    const env = { DATA_DIR: absent }
    await refused(['restore', folder], env, /does not contain the secret key/)
    const wrong = join(freshFolder(), 'wrong.key')
    writeFileSync(wrong, 'another key than that of the backup')
    await refused(['restore', folder, '--key', wrong], env, /secret key is not the one/)
    await refused(['restore', freshFolder()], env, /There is no backup/)

    const restoreKey = ['--key', keyFile]
    const away = {
      DATABASE_URL: 'postgres://a:hidden@127.0.0.1:1/x',
      CLICKHOUSE_URL: 'http://127.0.0.1:1/x',
    }
    const noServer = /PostgreSQL .*127\.0\.0\.1:1\/x.* refused the connection/
    await refused(['restore', folder, ...restoreKey], { ...env, ...away }, noServer)
    await withManifest(folder, { format: 99 }, () =>
      refused(['restore', folder, ...restoreKey], env, /has format 99/),
    )
    await withManifest(folder, { migrations: { 'postgres/9999_later.sql': 'x' } }, () =>
      refused(['restore', folder, ...restoreKey], env, /9999_later/),
    )
    const file = join(folder, 'postgres/links.copy.gz')
    const bytes = readFileSync(file)
    appendFileSync(file, 'x')
    await refused(['restore', folder, ...restoreKey], env, /damaged: postgres\/links/)
    writeFileSync(file, bytes)
    rmSync(file)
    await refused(['restore', folder, ...restoreKey], env, /damaged: postgres\/links/)
    writeFileSync(file, bytes)
    const manifest = readManifest(folder)
    const tables = manifest.postgres.tables.map((table) => ({ ...table, rawBytes: 1e15 }))
    await withManifest(folder, { postgres: { ...manifest.postgres, tables } }, () =>
      refused(['restore', folder, ...restoreKey], env, /GB free, and the restored data will take/),
    )
    assert.ok(!existsSync(absent))
  })

  await program.stop()
  const restoredDir = freshDataDir(t)
  const restored = await runCli(['restore', folder, '--key', keyFile], { DATA_DIR: restoredDir })
  assert.equal(restored.code, 0, restored.stderr)
  const second = await startProgram(t, restoredDir)
  await eventually(async () => {
    const total = await totalOf(second.origin, installation)
    assert.ok(total >= CLICKS && total <= CLICKS + during, `${total} clicks`)
  })
  const verified = await runCli(['verify'], { DATA_DIR: restoredDir })
  assert.equal(verified.code, 0, verified.stdout)
  await click({ ...installation, program: second }, 1)
})

test('a stopped installation is restored to servers with its key and journal, and from there to embedded databases', async (t) => {
  const installation = await install(t)
  const { dataDir, program } = installation
  await click(installation, 1)
  await program.stop('SIGKILL')
  const clickhouse = join(dataDir, 'clickhouse')
  assert.ok(existsSync(clickhouse))
  const folder = join(freshFolder(), 'backup')
  const made = await runCli(['backup', '--to', folder, '--with-key'], { DATA_DIR: dataDir })
  assert.equal(made.code, 0, made.stderr)
  const restoredDir = freshDataDir(t)
  mkdirSync(join(restoredDir, 'lost+found'))
  const { postgresUrl, clickhouseUrl } = await emptyDatabases(t)
  const urls = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }
  const managed = { DATA_DIR: restoredDir, ...urls }
  const restored = await runCli(['restore', folder], managed)
  assert.equal(restored.code, 0, restored.stderr)
  const forgotten = await runProgram({ DATA_DIR: restoredDir, PORT: '0' })
  assert.match(forgotten.stderr, /a backup was restored to; set DATABASE_URL/)
  const second = await startProgram(t, restoredDir, urls)
  await eventually(async () => assert.equal(await totalOf(second.origin, installation), 1))
  const verified = await runCli(['verify'], managed)
  assert.equal(verified.code, 0, verified.stdout)
  await second.stop()

  const back = join(freshFolder(), 'backup')
  assert.equal((await runCli(['backup', '--to', back, '--with-key'], managed)).code, 0)
  const ownDir = freshDataDir(t)
  await refused(['restore', back], { ...managed, DATA_DIR: ownDir }, /holds data already/)
  assert.deepEqual(readdirSync(ownDir), [])
  const returned = await runCli(['restore', back], { DATA_DIR: ownDir })
  assert.equal(returned.code, 0, returned.stderr)
  const third = await startProgram(t, ownDir)
  assert.equal(await totalOf(third.origin, installation), 1)
})

type Parts = { postgres: { tables: object[] } }

function readManifest(folder: string): Parts {
  return JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as Parts
}

/** Runs `work` while the manifest has other fields, and the hash that fits them. */
async function withManifest(
  folder: string,
  changes: object,
  work: () => Promise<void>,
): Promise<void> {
  const file = join(folder, 'manifest.json')
  const text = readFileSync(file, 'utf8')
  const { sha256: _, ...manifest } = { sha256: '', ...readManifest(folder), ...changes }
  const sha256 = createHash('sha256').update(JSON.stringify(manifest)).digest('hex')
  writeFileSync(file, JSON.stringify({ sha256, ...manifest }))
  await work()
  writeFileSync(file, text)
}
