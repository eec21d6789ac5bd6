import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setTimeout as after } from 'node:timers/promises'
import { shipFolder } from '../../../src/clicks/shipping/shipper.ts'
import { journalFiles, judge, openBench } from '../../support/shipping-world.ts'
import type { LoadOrders } from '../../support/loaded-shipping-child.ts'
import { IS_LONG } from '../../support/long.ts'

const CHILD = join(import.meta.dirname, '../../support/loaded-shipping-child.ts')
const ROUNDS = IS_LONG ? 60 : 6

/** Each process ships the segments of the one before it, while it adds clicks. */
test(`no click is lost in ${ROUNDS} kills at random moments under load`, async (t) => {
  const bench = await openBench(t)
  const { journalDir, quarantineDir, postgresUrl, clickhouseUrl, workspaceId, linkIds } = bench
  const orders: LoadOrders = {
    journalDir,
    quarantineDir,
    postgresUrl,
    clickhouseUrl,
    workspaceId,
    linkIds,
  }
  const begun: string[] = []
  const answered: string[] = []
  // A slow machine gets more kills, until it has answered enough clicks.
  const isEnough = () => answered.length > ROUNDS * 10
  for (let round = 0; round < ROUNDS || (round < ROUNDS * 4 && !isEnough()); round++) {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(orders)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const output = text(child.stdout)
    await once(child.stdout, 'readable')
    await after(20 + Math.random() * 400)
    child.kill('SIGKILL')
    for (const line of (await output).split('\n')) {
      const clickId = line.slice(2)
      if (line.startsWith('? ')) begun.push(clickId)
      if (line.startsWith('! ')) answered.push(clickId)
    }
  }
  await shipFolder(journalDir, bench.deps, new AbortController().signal, { settleMs: 0 })

  const verdict = await judge(bench, answered)
  assert.ok(isEnough(), `only ${answered.length} clicks were answered`)
  assert.deepEqual({ ...verdict, surplus: 0 }, { missing: 0, twice: 0, surplus: 0, countersOff: 0 })
  assert.ok(verdict.surplus <= begun.length - answered.length, 'no more than was in flight')
  assert.deepEqual(journalFiles(journalDir), [])
})
