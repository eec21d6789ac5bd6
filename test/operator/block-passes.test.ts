import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { freshPostgres } from '../support/engines.ts'
import { eventually } from '../support/eventually.ts'
import { addLink, addWorkspace } from '../support/fixtures.ts'
import { createPassRules } from '../support/block-pass-world.ts'
import { openPools } from '../support/job-world.ts'

const CHILD = join(import.meta.dirname, '../support/block-pass-child.ts')
const HOST = 'evil.example.com'
const LINKS = 120
const BETWEEN_PASSES_MS = 120_000

async function openPassWorld(t: TestContext) {
  const { sql: owner, postgresUrl } = await freshPostgres(t)
  const { close, ...pools } = openPools(postgresUrl)
  t.after(close)
  const time = { ms: Date.now() }
  const rules = createPassRules(pools, { clock: () => time.ms })
  const workspaceId = await addWorkspace(owner)
  for (let i = 0; i < LINKS; i++) {
    const destinationUrl = `https://${i % 3 === 0 ? 'good.example.com' : HOST}/${i}`
    await addLink(owner, { workspaceId, nowMs: time.ms + i, destinationUrl })
  }
  return {
    ...rules,
    workUntil: rules.work,
    owner,
    time,
    /** Runs a process that kills itself in one of its steps. */
    async crash(step: number): Promise<void> {
      const child = spawn(process.execPath, [CHILD, postgresUrl, String(step), String(time.ms)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      t.after(() => child.kill('SIGKILL'))
      const [, signal] = await once(child, 'exit')
      assert.equal(signal, 'SIGKILL')
    },
    work(): void {
      const stopping = new AbortController()
      const run = rules.work(stopping.signal)
      t.after(async () => {
        stopping.abort()
        await run
      })
    },
    async linksWith(status: string): Promise<number> {
      const [found] = await owner<[{ count: number }]>`
        select count(*)::int as count from links where status = ${status}`
      return found.count
    },
    /** Links with this action, its audit rows, and all events of changes. */
    async recordsOf(action: string) {
      const [found] = await owner<[{ links: number; rows: number; events: number }]>`
        select count(distinct target_id)::int as links, count(*)::int as rows,
          (select count(*)::int from events where type = 'link.updated') as events
        from audit_log where action = ${action}`
      return { ...found }
    },
  }
}

test('a pass of a block goes on after crashes, and blocks or restores each link once', async (t) => {
  const world = await openPassWorld(t)
  const evil = (LINKS * 2) / 3
  await world.blocks.block({ kind: 'host', value: HOST })
  await world.crash(3)
  const afterFirst = await world.linksWith('blocked')
  assert.ok(afterFirst > 0 && afterFirst < evil / 2, `${afterFirst} blocked`)
  await world.crash(3)
  const afterSecond = await world.linksWith('blocked')
  assert.ok(afterSecond > afterFirst && afterSecond < evil, `${afterSecond} blocked`)
  world.work()
  const stateOf = async () => {
    const [row] = await world.owner<{ passesLeft: number; passAfter: string }[]>`
      select passes_left, pass_after from blocks`
    return row && { ...row }
  }
  await eventually(async () => assert.deepEqual(await stateOf(), { passesLeft: 1, passAfter: '' }))
  assert.equal(await world.linksWith('blocked'), evil)
  world.time.ms += BETWEEN_PASSES_MS
  await eventually(async () => assert.deepEqual(await stateOf(), { passesLeft: 0, passAfter: '' }))
  const records = { links: evil, rows: evil, events: evil }
  assert.deepEqual(await world.recordsOf('link.blocked'), records)
  assert.equal(await world.linksWith('active'), LINKS - evil)
})

test('a block that is lifted restores each link once, after crashes', async (t) => {
  const world = await openPassWorld(t)
  const evil = (LINKS * 2) / 3
  await world.blocks.block({ kind: 'host', value: HOST })
  const first = new AbortController()
  const run = world.workUntil(first.signal)
  await eventually(async () => assert.equal(await world.linksWith('blocked'), evil))
  first.abort()
  await run
  await world.blocks.unblock({ kind: 'host', value: HOST })
  await world.crash(3)
  const left = await world.linksWith('blocked')
  assert.ok(left > 0 && left < evil, `${left} blocked`)
  world.work()
  await eventually(async () => {
    const { blocks } = await world.blocks.list({})
    assert.equal(blocks.length, 0)
  })
  assert.equal(await world.linksWith('active'), LINKS)
  const twice = { links: evil, rows: evil, events: 2 * evil }
  assert.deepEqual(await world.recordsOf('link.unblocked'), twice)
})
