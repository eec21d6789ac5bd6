import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { BacklogPacer } from '../../src/delivery/backlog-pacer.ts'
import { HostRate } from '../../src/delivery/host-rate.ts'
import { Lanes } from '../../src/delivery/lanes.ts'
import { registerGauges } from '../../src/delivery/meters.ts'

const QUICK_MS = 1
const HINDERED_MS = 8

function told(count: number, claimMs: (n: number) => number) {
  const pacer = new BacklogPacer(10)
  for (let n = 0; n < count; n++) pacer.record(claimMs(n), 1, n * 10)
  return { pacer, nowMs: (count - 1) * 10 }
}

test('backlogs are not held up where nothing else is delivered', () => {
  assert.equal(new BacklogPacer(10).roundMs(0), 10)
})

test('backlogs are not held up while the claims of others are as quick as ever', () => {
  const { pacer, nowMs } = told(500, (n) => QUICK_MS + (n % 10) / 10)
  assert.equal(pacer.roundMs(nowMs), 10)
})

test('backlogs wait while more than one claim of seventeen is hindered, at most a tenth of a second', () => {
  const oneOf = (share: number) => (n: number) => (n % share === 1 ? HINDERED_MS : QUICK_MS)
  const rare = told(2_000, oneOf(20))
  const often = told(2_000, oneOf(14))
  assert.ok(rare.pacer.roundMs(rare.nowMs) < 12)
  assert.ok(often.pacer.roundMs(often.nowMs) > 80)
  assert.ok(often.pacer.roundMs(often.nowMs) <= 100)
})

test('backlogs are asked as before when the claims of others are quick again, or have ended', () => {
  const { pacer, nowMs } = told(100, (n) => (n === 0 ? QUICK_MS : HINDERED_MS))
  assert.equal(pacer.roundMs(nowMs), 100)
  assert.equal(pacer.roundMs(nowMs + 500), 10)
  for (let n = 0; n < 300; n++) pacer.record(QUICK_MS, 1, nowMs)
  assert.equal(pacer.roundMs(nowMs), 10)
})

test('a database that became slower extends the wait up to its maximum alone', () => {
  const { pacer, nowMs } = told(3_000, (n) => (n < 500 ? QUICK_MS : HINDERED_MS))
  assert.equal(pacer.roundMs(nowMs), 10)
})

test('a claim that asks two hundred lanes may take longer than one that asks a few', () => {
  const pacer = new BacklogPacer(10)
  for (let n = 0; n < 500; n++)
    if (n % 2 === 0) pacer.record(QUICK_MS, 1, n * 10)
    else pacer.record(15, 200, n * 10)
  assert.equal(pacer.roundMs(5_000), 10)
})

test('a gauge tells how far apart backlogs are asked at the moment', async () => {
  const registry = new Registry()
  const pacer = new BacklogPacer(10)
  registerGauges(registry, new Lanes(new HostRate(1_000_000)), { unwritten: 0 }, pacer)
  const reading = async () => {
    const name = 'signpost_delivery_backlog_interval_seconds'
    const { values } = await registry.getSingleMetric(name)!.get()
    return values[0]!.value
  }
  assert.equal(await reading(), 0.01)
  for (let n = 0; n < 100; n++) pacer.record(n === 0 ? QUICK_MS : HINDERED_MS, 1, performance.now())
  assert.equal(await reading(), 0.1)
  for (let n = 0; n < 300; n++) pacer.record(QUICK_MS, 1, performance.now())
  assert.equal(await reading(), 0.01)
})
