import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostRate } from '../../../src/webhooks/delivery/host-rate.ts'
import { Lanes } from '../../../src/webhooks/delivery/lanes.ts'
import type { Wanted } from '../../../src/webhooks/delivery/queue/queue-claims.ts'
import { eventually } from '../../support/world.ts'
import {
  fillEndpoints,
  fillQueue,
  openDeliveryWorld,
  openPlainReceiver,
} from '../../support/delivery-world.ts'

const QUICK = { isSuccess: true, isSilent: false, durationMs: 5 }
/** With a rate of 100 this many go at once to a target that was left alone. */
const BURST = 25

const lane = (endpointId: string, url: string, workspaceId = endpointId) => ({
  ...{ endpointId, workspaceId, url },
  epoch: 1,
})

/** Both halves are asked, and give all that is asked for; each is answered at once. @returns how many of each lane */
function round(lanes: Lanes, nowMs: number, urlOf = (asked: Wanted) => asked.lane.url) {
  const served: Record<string, number> = {}
  for (const isOfBacklogs of [false, true]) {
    const asked = lanes.share(nowMs, isOfBacklogs)
    const claims = asked.flatMap((wanted) =>
      Array.from({ length: wanted.free }, (_, n) => ({
        ...{ endpointId: wanted.lane.endpointId, url: urlOf(wanted) },
        ...{ dueAtUs: nowMs, id: `del_${n}` },
      })),
    )
    lanes.claimed(asked, claims, nowMs, nowMs)
    for (const { endpointId } of claims) {
      served[endpointId] = (served[endpointId] ?? 0) + 1
      const begun = lanes.begin(endpointId, nowMs)
      begun.ended(QUICK, nowMs)
      begun.written(nowMs)
    }
  }
  return served
}

/** Rounds without an end to what is due. @returns how many of each lane */
function rounds(lanes: Lanes, fromMs: number, toMs: number, everyMs = 10) {
  const served: Record<string, number> = {}
  for (let nowMs = fromMs; nowMs < toMs; nowMs += everyMs)
    for (const [id, count] of Object.entries(round(lanes, nowMs)))
      served[id] = (served[id] ?? 0) + count
  return served
}

function total(served: Record<string, number>): number {
  return Object.values(served).reduce((sum, count) => sum + count, 0)
}

test('a host gets a quarter of a second at once, and then its rate, from all of its lanes', () => {
  const lanes = new Lanes(new HostRate(100))
  const urls = ['https://one.test/a', 'https://one.test:443/b', 'https://ONE.test./c']
  lanes.add(
    urls.map((url, n) => lane(`one-${n}`, new URL(url).href)),
    0,
  )
  lanes.add([lane('other', 'https://one.test:8443/'), lane('two', 'https://two.test/')], 0)
  const first = rounds(lanes, 0, 1_000)
  const ofOne = first['one-0']! + first['one-1']! + first['one-2']!
  assert.ok(ofOne >= 120 && ofOne <= 100 + BURST, `${ofOne} in the first second`)
  for (const id of ['other', 'two']) assert.ok(first[id]! >= 120 && first[id]! <= 125, id)
  const later = total(rounds(lanes, 1_000, 11_000))
  assert.ok(later >= 2_990 && later <= 3_001, `${later} in the ten that follow`)
})

test('what a claim did not bring is given back to the host', () => {
  const lanes = new Lanes(new HostRate(4))
  lanes.add([lane('a', 'https://one.test/'), lane('b', 'https://one.test/')], 0)
  const [asked, ...others] = lanes.share(0, false)
  assert.deepEqual(others, [])
  assert.deepEqual(lanes.share(0, false), [])
  lanes.claimed([asked!], [], 0, 0)
  const again = lanes.share(0, false)
  assert.equal(again.length, 1)
  assert.notEqual(again[0]!.lane.endpointId, asked!.lane.endpointId)
  lanes.doubt(again)
  assert.equal(lanes.share(1_000, false).length, 1)
})

test('workspaces share the rate of a host, and then the lanes of each', () => {
  const lanes = new Lanes(new HostRate(100))
  const url = 'https://one.test/'
  // Requests of a workspace to other hosts take nothing of its share.
  const slow = Array.from({ length: 16 }, (_, n) =>
    lane(`slow-${n}`, `https://s${n}.test/`, 'busy'),
  )
  lanes.add(slow, 0)
  const asked = lanes.share(0, false)
  assert.equal(asked.length, 16)
  const claims = slow.map(({ endpointId, url: to }) => ({
    endpointId,
    url: to,
    dueAtUs: 0,
    id: 'x',
  }))
  lanes.claimed(asked, claims, 0, 0)
  for (const { endpointId } of slow) lanes.begin(endpointId, 0)

  const many = Array.from({ length: 50 }, (_, n) => lane(`many-${n}`, url, 'many'))
  lanes.add([...many, lane('single', url), lane('busy', url)], 0)
  rounds(lanes, 0, 2_000)
  const served = rounds(lanes, 2_000, 8_000)
  const counts = many.map(({ endpointId }) => served[endpointId] ?? 0)
  const ofMany = counts.reduce((sum, count) => sum + count)
  for (const count of [served['single']!, served['busy']!, ofMany])
    assert.ok(count >= 190 && count <= 210, JSON.stringify(served))
  assert.ok(Math.max(...counts) - Math.min(...counts) <= 2, JSON.stringify(counts))
})

test('names whose connections go to one address share its rate, with its own URL as well', () => {
  const rate = new HostRate(100)
  const lanes = new Lanes(rate)
  const names = Array.from({ length: 20 }, (_, n) => `name-${n}.test`)
  lanes.add(
    names.map((name) => lane(name, `https://${name}/`)),
    0,
  )
  lanes.add([lane('v4', 'https://192.0.2.7/'), lane('v6', 'https://[2001:db8::7]/')], 0)
  for (const name of names) rate.connected(name, '443', '192.0.2.7', 0)
  rate.connected('name-0.test', '443', '2001:db8::7', 0)
  rate.connected('192.0.2.7', '443', '::ffff:192.0.2.7', 0)
  // Of another port it is another receiver.
  lanes.add([lane('8443', 'https://192.0.2.7:8443/')], 0)
  const served = rounds(lanes, 0, 1_000)
  const { v6, '8443': other, ...shared } = served
  assert.ok(total(shared) <= 100 + BURST, `${total(shared)} to the address`)
  assert.ok(total(shared) >= 110, `${total(shared)} to the address`)
  assert.ok(v6! + shared['name-0.test']! <= 100 + BURST)
  assert.ok(v6! >= 90 && other! >= 120)
})

test('deliveries to a new URL count for the new host', () => {
  const rate = new HostRate(100)
  const lanes = new Lanes(rate)
  const old = 'https://old.test/'
  lanes.add([lane('moved', old)], 0)
  // One until the first answer, and four when it is there.
  assert.equal(total(round(lanes, 0, () => 'https://new.test/')), 5)
  const at = (url: string) => {
    const target = rate.hold(url, 0)
    rate.release(target)
    return target.tokens
  }
  assert.deepEqual([at(old), at('https://new.test/')], [BURST, BURST - 5])
})

test('a lane that waits for its host is not given back as idle, and is the first to make room', () => {
  const rate = new HostRate(1)
  rate.take(rate.hold('https://one.test/', 0), 100)
  const lanes = new Lanes(rate)
  const urls = { free: 'https://two.test/', a: 'https://one.test/', b: 'https://one.test/' }
  lanes.add(
    Object.entries(urls).map(([id, url]) => lane(id, url)),
    0,
  )
  const idsOf = (taken: readonly { endpointId: string }[]) => taken.map((each) => each.endpointId)
  assert.equal(lanes.countHeldBack(), 0)
  lanes.claimed(lanes.share(0, false), [], 0, 0)
  assert.equal(lanes.countHeldBack(), 2)
  assert.deepEqual(idsOf(lanes.takeResting(1)), ['a'])
  assert.deepEqual(idsOf(lanes.takeIdle(3_000)), ['free'])
  assert.equal(lanes.countHeldBack(), 1)
  // At the end of the process all are given back.
  assert.deepEqual(idsOf(lanes.takeIdle(3_000, 0)), ['b'])
})

test('hosts that are not used any more are forgotten, and none that owes something', () => {
  const rate = new HostRate(100)
  const busy = rate.hold('https://busy.test/', 0)
  rate.release(busy)
  rate.take(busy, 1_000)
  const kept = rate.hold('https://kept.test/', 0)
  for (let n = 0; n < 30_000; n++) rate.release(rate.hold(`https://h${n}.test/`, n / 1_000))
  assert.equal(rate.hold('https://busy.test/', 30), busy)
  assert.equal(rate.hold('https://kept.test/', 30), kept)
  assert.ok(rate.size <= 10_000)
})

test('a burst over the rate of its host waits without an attempt, and another host is served', async (t) => {
  const world = await openDeliveryWorld(t)
  const [over, other] = [await openPlainReceiver(t), await openPlainReceiver(t)]
  const fill = async (url: string, endpoints: number, each: number) => {
    const { workspaceId } = await world.workspace()
    const ids = await fillEndpoints(world, workspaceId, url, endpoints)
    await fillQueue(world.sql, workspaceId, ids, each)
  }
  const rate = 20
  await fill(over.url, 5, 8)
  await fill(over.url, 1, 20)
  world.startEngine({ hostRate: rate })
  await eventually(async () => assert.ok(over.arrivals.length > 0))
  await fill(other.url, 3, 2)
  await eventually(async () => assert.equal(other.arrivals.length, 6))
  assert.ok(over.arrivals.length < 60, `${over.arrivals.length} had arrived`)
  await eventually(async () => assert.equal(over.arrivals.length, 60), 60_000)

  const times = over.arrivals.map(({ atMs }) => atMs).toSorted((a, b) => a - b)
  const inOneSecond = times.map((from) => times.filter((at) => at >= from && at < from + 1_000))
  const most = Math.max(...inOneSecond.map((each) => each.length))
  // A quarter of a second at once, and some tolerance for a machine that pauses for a moment.
  assert.ok(most <= rate * 1.25 + 10, `${most} within a second`)
  assert.ok(times.at(-1)! - times[0]! >= 1_500, 'sixty at twenty a second take three')
  await eventually(async () => {
    const rows = await world.sql<{ status: number; attempts: number; n: number }[]>`
      select status, attempts, count(*) as n from webhook_log group by 1, 2`
    assert.deepEqual([...rows], [{ status: 2, attempts: 1, n: 66 }])
  })
})
