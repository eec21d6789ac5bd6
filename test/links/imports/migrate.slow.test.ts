import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { freshDataDir } from '../../support/program.ts'
import { openShlinkServer, SHLINK_KEY } from '../../support/shlink-server.ts'
import { eventually, openWorld } from '../../support/world.ts'

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/migrate.md'), 'utf8')
const BLOCKS = [...PAGE.matchAll(/```sh\n(.*?)```/gs)].map(([, block]) => block!)
const [SETUP, TRY_SHLINK, TRY_FILE, READ, SHLINK, FILE, BIO_PAGE] = BLOCKS
const LINKTREE = readFileSync(join(import.meta.dirname, 'files/linktree.json'))
const run = promisify(execFile)

/** What the query of the page prints. */
const YOURLS = [
  {
    keyword: 'ozh',
    url: 'https://example.com/ozh',
    title: 'A page',
    clicks: 9,
    clicksByDay: { '2026-01-30': 4, '2026-01-31': 3 },
  },
  { keyword: '2b', url: 'https://example.com/2b', title: '', clicks: 0, clicksByDay: null },
]

/** Runs commands of the page in a folder, as a reader would, with the addresses of this test. */
async function openReader(t: TestContext, baseUrl = '') {
  const world = await openWorld(t, {
    isClockReal: true,
    pace: 5,
    config: { egressAllowedCidrs: ['127.0.0.0/8'] },
  })
  const member = await world.member()
  const folder = freshDataDir(t)
  writeFileSync(join(folder, 'yourls.json'), JSON.stringify(YOURLS))
  writeFileSync(join(folder, 'linktree.json'), LINKTREE)
  const shell = async (...blocks: (string | undefined)[]) => {
    const script = blocks
      .join('\n')
      .replace('http://localhost:3000', world.origin)
      .replace('https://s.example.com', baseUrl)
      .replace('SHLINK_KEY', SHLINK_KEY)
    const { stdout } = await run('bash', ['-euc', script], {
      cwd: folder,
      env: { ...process.env, KEY: member.apiKey },
    })
    return stdout
  }
  const completed = async () =>
    eventually(async () => {
      const shown = await shell(SETUP, READ)
      assert.match(shown, /"status":"completed"/)
      return shown
    })
  const leadsTo = async (slug: string) => {
    const answer = await fetch(`${world.origin}/${slug}`, { redirect: 'manual' })
    return answer.headers.get('location')
  }
  const importedDays = async () => {
    const { body } = await member.get('/analytics/timeseries?interval=all&granularity=day')
    const rows = body.data as { start: string; importedClicks: number }[]
    return rows
      .filter(({ importedClicks }) => importedClicks > 0)
      .map(({ start, importedClicks }) => [start.slice(0, 10), importedClicks])
  }
  return { shell, completed, leadsTo, importedDays, member }
}

test('a YOURLS installation moves by the commands of the page', async (t) => {
  const { shell, completed, leadsTo, importedDays } = await openReader(t)
  await shell(SETUP, TRY_FILE)
  assert.match(await completed(), /"dryRun":true.*"created":2.*"failed":0/s)
  assert.equal(await leadsTo('ozh'), null)
  await shell(SETUP, FILE)
  assert.match(await completed(), /"created":2/)
  await eventually(async () => assert.equal(await leadsTo('ozh'), 'https://example.com/ozh'))
  assert.deepEqual(await importedDays(), [
    ['2026-01-30', 4],
    ['2026-01-31', 3],
  ])
})

test('a Shlink installation moves by the commands of the page', async (t) => {
  const shlink = await openShlinkServer(t, [
    {
      shortCode: 'talk',
      longUrl: 'https://example.com/talk',
      visits: ['2026-02-01T10:00:00+01:00'],
    },
  ])
  const { shell, completed, leadsTo, importedDays } = await openReader(t, shlink.baseUrl)
  await shell(SETUP, TRY_SHLINK)
  assert.match(await completed(), /"dryRun":true.*"created":1.*"failed":0/s)
  const source = TRY_SHLINK!.split('\n', 1)[0]
  await shell(SETUP, source, SHLINK)
  assert.match(await completed(), /"created":1/)
  await eventually(async () => assert.equal(await leadsTo('talk'), 'https://example.com/talk'))
  assert.deepEqual(await importedDays(), [['2026-02-01', 1]])
})

test('a page of Linktree becomes a bio page by the commands of the page', async (t) => {
  const { shell, completed, member } = await openReader(t)
  await shell(SETUP, FILE!.replace('yourls.json', 'linktree.json'))
  assert.match(await completed(), /"source":"linktree".*"created":2/s)
  assert.match(await shell(SETUP, BIO_PAGE), /"leftOut":0/)
  const [page] = (await member.get('/bio-pages')).body.data
  assert.deepEqual([page.slug, page.status, page.blocks.length], ['ana', 'draft', 2])
})
