import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog, type Log } from '../../src/platform/core/log.ts'
import { newBootId, segmentName } from '../../src/clicks/journal/format.ts'
import {
  encodeSegment,
  journalFiles,
  judge,
  makeClick,
  seedLinks,
} from '../support/shipping-world.ts'
import { mmdb } from '../support/mmdb.ts'
import { freshDatabases } from '../support/engines.ts'
import { freshFolder } from '../support/fixtures.ts'
import { eventually, openWorld, type World } from '../support/world.ts'

const SEGMENTS = 250
const CLICKS = 100

test('links redirect while a large backlog is shipped, of which each click counts once', async (t) => {
  const { world, slug, journalDir, leaveBacklog } = await openShop(t)
  const { ids, last } = leaveBacklog(SEGMENTS)
  let answered = 0
  while (existsSync(last)) {
    await visit(world, slug)
    answered++
  }
  assert.ok(answered > 0)
  await eventually(() => assert.deepEqual(journalFiles(journalDir), []))
  await eventually(async () => assert.equal(await countClicks(world), ids.length + answered))
  const { surplus, ...verdict } = await judge(world, ids)
  assert.deepEqual(verdict, { missing: 0, twice: 0, countersOff: 0 })
  assert.equal(surplus, answered)
})

test('a stop ships the last click, and removes the journal', async (t) => {
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const { world, slug, journalDir } = await openShop(t, log)
  await visit(world, slug)
  await world.stop()
  assert.equal(await countClicks(world), 1)
  assert.deepEqual(readdirSync(journalDir), [])
  // A retry would hide an error.
  assert.deepEqual(
    lines.filter((line) => /click|journal|segment|shipping/.test(line)),
    [],
  )
})

test('clicks are located by the geo database, also after its file has changed', async (t) => {
  const geoipDb = join(freshFolder(), 'city.mmdb')
  const write = (city: string) =>
    writeFileSync(geoipDb, mmdb({ '8.0.0.0/8': { country_code: 'US', city } }))
  write('Oakland')
  const config = { geoipDb, trustedProxies: ['127.0.0.1', '::1'] }
  const world = await openWorld(t, { config })
  const member = await world.member()
  const link = { name: 'A link', destinationUrl: 'https://example.com/' }
  const { slug } = (await member.post('/links', link)).body.data as { slug: string }
  const cities = async () => {
    await visit(world, slug)
    const query = 'select distinct city from clicks order by city'
    const answer = await world.clickhouse.query({ query, format: 'JSONCompactEachRow' })
    return (await answer.json<[string]>()).flat()
  }
  await eventually(async () => assert.deepEqual(await cities(), ['Oakland']))
  write('San Francisco')
  world.clock.advance(61_000)
  await eventually(async () => assert.deepEqual(await cities(), ['Oakland', 'San Francisco']))
})

/** The program with a link, and a function that leaves the journal of a dead process in its data directory. */
async function openShop(t: TestContext, log?: Log) {
  const databases = await freshDatabases(t)
  const { workspaceId, linkIds } = await seedLinks(databases.sql)
  const world = await openWorld(t, { databases, isClockReal: true, ...(log && { log }) })
  const member = await world.member()
  const link = { name: 'A link', destinationUrl: 'https://example.com/' }
  const { slug } = (await member.post('/links', link)).body.data as { slug: string }
  const journalDir = join(world.dataDir, 'journal')
  const leaveBacklog = (segments: number) => {
    const folder = join(journalDir, newBootId())
    const ids: string[] = []
    mkdirSync(`${folder}.new`)
    for (let sequence = 1; sequence <= segments; sequence++) {
      const clicks = Array.from({ length: CLICKS }, () => makeClick(workspaceId, linkIds))
      ids.push(...clicks.map(({ clickId }) => clickId))
      writeFileSync(join(`${folder}.new`, segmentName(sequence, 'sealed')), encodeSegment(clicks))
    }
    renameSync(`${folder}.new`, folder)
    return { ids, last: join(folder, segmentName(segments, 'sealed')) }
  }
  return { world, slug, journalDir, leaveBacklog }
}

/** As a browser, so that the click counts. */
async function visit({ origin }: World, slug: string): Promise<void> {
  const headers = {
    'x-forwarded-for': '8.8.8.8',
    'user-agent': 'Mozilla/5.0 (X11; Linux x64; rv:140.0) Gecko/20100101 Firefox/140.0',
  }
  const { status } = await fetch(`${origin}/${slug}`, { redirect: 'manual', headers })
  assert.equal(status, 302)
}

async function countClicks({ sql }: World): Promise<number> {
  const [row] = await sql<[{ clicks: number }]>`
    select coalesce(sum(clicks), 0)::bigint as clicks from link_clicks`
  return row.clicks
}
