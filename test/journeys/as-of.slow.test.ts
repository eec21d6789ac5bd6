import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { openProxy } from '../support/database-proxy.ts'
import { edgeKnows } from '../support/edge-knows.ts'
import { freshDatabases } from '../support/engines.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'

const INTERNAL_TOKEN = 'one internal token for gateway and services'

test('asOf waits for the clicks of every edge, also of one that cannot ship or was killed', async (t) => {
  const { owner, link, startEdge, clickhouse } = await openInstallation(t)
  /** Times at which an edge had answered a click, one for each. */
  const answered: number[] = []
  const visit = async (origin: string) => {
    // The lookup of an edge that has just started may exceed its time; it counts nothing then.
    await eventually(async () => {
      const { status } = await fetch(`${origin}/${link.slug}`, { redirect: 'manual' })
      assert.equal(status, 302)
    })
    answered.push(Date.now())
  }
  /** An answer of the services. No click that an edge answered before `asOf` may be missing in it. */
  const ask = async () => {
    const due = [...answered]
    const { body } = await owner.get(`/analytics/links/${link.id}`)
    const asOfMs = Date.parse(body.meta.asOf)
    const promised = due.filter((ms) => ms < asOfMs).length
    const clicks: number = body.data.totalClicks
    assert.ok(clicks >= promised, `${clicks} of the ${promised} clicks before ${body.meta.asOf}`)
    return { clicks, asOfMs }
  }
  const counted = (clicks: number, sinceMs: number) =>
    eventually(async () => {
      const answer = await ask()
      assert.equal(answer.clicks, clicks)
      assert.ok(answer.asOfMs > sinceMs, `as of ${answer.asOfMs}, not after ${sinceMs}`)
    })
  /** The near edge goes on, and its click is counted while asOf stays where the far edge left it. */
  const staysBehind = async (clicks: number, sinceMs: number) => {
    await visit(near.origin)
    await eventually(async () => {
      const answer = await ask()
      assert.ok(answer.asOfMs <= sinceMs, `as of ${answer.asOfMs}, after ${sinceMs}`)
      assert.equal(answer.clicks, clicks)
    })
  }

  const farDir = freshDataDir(t)
  const near = await startEdge(freshDataDir(t))
  let far = await startEdge(farDir, clickhouse.url)
  for (const { origin } of [near, far]) await edgeKnows(origin, owner, link.slug)
  await visit(near.origin)
  await visit(far.origin)
  await counted(2, Date.now())

  clickhouse.cut()
  await visit(far.origin)
  await staysBehind(3, answered.at(-1)!)
  clickhouse.restore()
  await counted(4, Date.now())

  clickhouse.cut()
  await visit(far.origin)
  const killedMs = answered.at(-1)!
  await far.stop('SIGKILL')
  await staysBehind(5, killedMs)
  await staysBehind(6, killedMs)
  clickhouse.restore()
  far = await startEdge(farDir, clickhouse.url)
  await counted(7, Date.now())

  await visit(far.origin)
  // It ships for five seconds and no longer: a machine that stood still for them is asked again.
  await eventually(async () => {
    const code = await far.stop()
    const left = globSync('journal/*/*.{open,sealed,rows}', { cwd: farDir })
    if (code !== 0 || left.length > 0) far = await startEdge(farDir, clickhouse.url)
    assert.deepEqual([code, left], [0, []])
  })
  await counted(8, Date.now())
})

/** Services behind a gateway, a link, and the means to start edges; the far one reaches ClickHouse through a proxy. */
async function openInstallation(t: TestContext) {
  const { postgresUrl, clickhouseUrl } = await freshDatabases(t)
  const proxy = await openProxy(t, clickhouseUrl)
  const shared = {
    DATABASE_URL: postgresUrl,
    CLICKHOUSE_URL: clickhouseUrl,
    SECRET_KEY: 'one secret key for all of these processes',
  }
  const start = (role: string, dataDir: string, env: Record<string, string> = {}) =>
    startProgram(t, dataDir, { ...shared, ...env }, [`--role=${role}`])
  const startEdge = (dataDir: string, address = clickhouseUrl) =>
    start('edge', dataDir, { CLICKHOUSE_URL: address })

  const servicesDir = freshDataDir(t)
  const services = await start('services', servicesDir, {
    INTERNAL_TOKEN,
    SHORT_URL: 'https://short.example.com',
  })
  const gateway = await start('gateway', freshDataDir(t), {
    INTERNAL_TOKEN,
    SERVICES_URL: services.origin,
    SHORT_URL: 'https://short.example.com',
  })
  const apiKey = await bootstrapKey({
    ...shared,
    DATA_DIR: servicesDir,
  })
  const owner = callsWith(apiKey, gateway.origin)
  const { body } = await owner.post('/links', {
    name: 'Docs',
    destinationUrl: 'https://example.com/docs',
  })
  const link: { id: string; slug: string } = body.data
  return { owner, link, startEdge, clickhouse: proxy }
}
