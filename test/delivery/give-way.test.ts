import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Registry } from 'prom-client'
import { createGiveWay } from '../../src/delivery/give-way.ts'
import { createHostRate } from '../../src/delivery/host-rate.ts'
import { createLanes } from '../../src/delivery/lanes.ts'
import { deliveryMeters } from '../../src/delivery/meters.ts'

const QUICK_MS = 1
const HINDERED_MS = 8

function told(count: number, claimMs: (n: number) => number) {
  const giveWay = createGiveWay(10)
  for (let n = 0; n < count; n++) giveWay.took(claimMs(n), 1, n * 10)
  return { giveWay, nowMs: (count - 1) * 10 }
}

test('backlogs are not held up where nothing else is delivered', () => {
  assert.equal(createGiveWay(10).roundMs(0), 10)
})

test('backlogs are not held up while the claims of others are as quick as ever', () => {
  const { giveWay, nowMs } = told(500, (n) => QUICK_MS + (n % 10) / 10)
  assert.equal(giveWay.roundMs(nowMs), 10)
})

test('backlogs wait while more than one claim of seventeen is hindered, at most a tenth of a second', () => {
  const oneOf = (share: number) => (n: number) => (n % share === 1 ? HINDERED_MS : QUICK_MS)
  const seldom = told(2_000, oneOf(20))
  const often = told(2_000, oneOf(14))
  assert.ok(seldom.giveWay.roundMs(seldom.nowMs) < 12)
  assert.ok(often.giveWay.roundMs(often.nowMs) > 80)
  assert.ok(often.giveWay.roundMs(often.nowMs) <= 100)
})

test('backlogs are asked as before when the claims of others are quick again, or have ended', () => {
  const { giveWay, nowMs } = told(100, (n) => (n === 0 ? QUICK_MS : HINDERED_MS))
  assert.equal(giveWay.roundMs(nowMs), 100)
  assert.equal(giveWay.roundMs(nowMs + 500), 10)
  for (let n = 0; n < 300; n++) giveWay.took(QUICK_MS, 1, nowMs)
  assert.equal(giveWay.roundMs(nowMs), 10)
})

test('a database that is slower than it was is no reason to wait for longer than a while', () => {
  const { giveWay, nowMs } = told(3_000, (n) => (n < 500 ? QUICK_MS : HINDERED_MS))
  assert.equal(giveWay.roundMs(nowMs), 10)
})

test('a claim that asks two hundred lanes may take longer than one that asks a few', () => {
  const giveWay = createGiveWay(10)
  for (let n = 0; n < 500; n++)
    if (n % 2 === 0) giveWay.took(QUICK_MS, 1, n * 10)
    else giveWay.took(15, 200, n * 10)
  assert.equal(giveWay.roundMs(5_000), 10)
})

test('a gauge tells how far apart backlogs are asked at the moment', async () => {
  const registry = new Registry()
  const giveWay = createGiveWay(10)
  deliveryMeters(registry, createLanes(createHostRate(1_000_000)), () => 0, giveWay)
  const reading = async () => {
    const name = 'signpost_delivery_backlog_interval_seconds'
    const { values } = await registry.getSingleMetric(name)!.get()
    return values[0]!.value
  }
  assert.equal(await reading(), 0.01)
  for (let n = 0; n < 100; n++) giveWay.took(n === 0 ? QUICK_MS : HINDERED_MS, 1, performance.now())
  assert.equal(await reading(), 0.1)
  for (let n = 0; n < 300; n++) giveWay.took(QUICK_MS, 1, performance.now())
  assert.equal(await reading(), 0.01)
})
