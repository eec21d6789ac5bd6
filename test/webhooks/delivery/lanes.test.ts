import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostRate } from '../../../src/webhooks/delivery/host-rate.ts'
import { MAX_IN_FLIGHT } from '../../../src/webhooks/delivery/fair-share.ts'
import { Lanes, type StartedRequest } from '../../../src/webhooks/delivery/lanes.ts'

const openLanes = (perSecond = 1_000_000) => new Lanes(new HostRate(perSecond))
const held = (workspaceId: string, n: number, from = 0) =>
  Array.from({ length: n }, (_, i) => ({
    endpointId: `${workspaceId}-${from + i}`,
    workspaceId,
    epoch: 1,
    url: 'https://example.com/hook',
  }))

const QUICK = { isSuccess: true, isSilent: false, durationMs: 5 }
const SILENT = { isSuccess: false, isSilent: true, durationMs: 10_000 }

type OnTheWire = { workspaceId: string; endpointId: string; begun: StartedRequest }

/** One round: every lane has as much to send as it may; @returns what was begun. */
function begin(lanes: Lanes, nowMs: number): OnTheWire[] {
  const asked = [...lanes.share(nowMs, false), ...lanes.share(nowMs, true)]
  const claims = asked.flatMap(({ lane: { endpointId, url }, free }) =>
    Array.from({ length: free }, (_, i) => ({ endpointId, url, dueAtUs: nowMs, id: `del_${i}` })),
  )
  lanes.claimed(asked, claims, nowMs, nowMs)
  return asked.flatMap(({ lane, free }) =>
    Array.from({ length: free }, () => ({ ...lane, begun: lanes.begin(lane.endpointId, nowMs) })),
  )
}

/** Rounds until no lane may send more. */
function fill(lanes: Lanes, nowMs: number): OnTheWire[] {
  const started: OnTheWire[] = []
  for (;;) {
    const more = begin(lanes, nowMs)
    if (more.length === 0) return started
    started.push(...more)
  }
}

/** Each answers so often, all at once each time. */
function prove(lanes: Lanes, times: number, outcome = QUICK): void {
  for (let i = 0; i < times; i++)
    for (const { begun } of fill(lanes, 0)) {
      begun.ended(outcome, 0)
      begun.written(0)
    }
}

function countBy<T>(rows: readonly T[], key: (row: T) => string): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const row of rows) counts[key(row)] = (counts[key(row)] ?? 0) + 1
  return counts
}

test('a workspace with two thousand endpoints has as much on the wire as one with four hundred', () => {
  const lanes = openLanes()
  lanes.add(held('many', 2_000), 0)
  lanes.add(held('some', 400), 0)
  prove(lanes, 60)
  const started = fill(lanes, 0)
  assert.equal(started.length, MAX_IN_FLIGHT)
  assert.deepEqual(
    countBy(started, (each) => each.workspaceId),
    { many: MAX_IN_FLIGHT / 2, some: MAX_IN_FLIGHT / 2 },
  )
})

test('an endpoint with little room leaves the rest to the others', () => {
  const lanes = openLanes()
  lanes.add(held('many', 2_000), 0)
  lanes.add(held('one', 1), 0)
  prove(lanes, 60)
  const counts = countBy(fill(lanes, 0), (each) => each.workspaceId)
  assert.ok(counts['one']! >= 4)
  assert.equal(counts['many']! + counts['one']!, MAX_IN_FLIGHT)
})

test('slots that become free one by one go round all workspaces', () => {
  const lanes = openLanes()
  for (let i = 0; i < 2_000; i++) lanes.add(held(`w${i}`, 1), 0)
  prove(lanes, 100)
  let wire = fill(lanes, 0)
  assert.equal(wire.length, MAX_IN_FLIGHT)
  const served = new Set(wire.map((each) => each.workspaceId))
  for (let i = 0; i < 1_500; i++) {
    const [first, ...rest] = wire
    first!.begun.ended(QUICK, 0)
    first!.begun.written(0)
    const next = fill(lanes, 0)
    assert.equal(next.length, 1)
    served.add(next[0]!.workspaceId)
    wire = [...rest, ...next]
  }
  assert.ok(served.size > 1_900, `${served.size} workspaces had a turn`)
})

test('what has never answered gets one request each, and a quarter of all in total', () => {
  const lanes = openLanes()
  lanes.add(held('new', 1_000), 0)
  const started = fill(lanes, 0)
  assert.equal(started.length, MAX_IN_FLIGHT / 4)
  assert.equal(new Set(started.map((each) => each.endpointId)).size, MAX_IN_FLIGHT / 4)
})

test('silent receivers share a quarter, and a quarter is always left for quick ones', () => {
  const lanes = openLanes()
  lanes.add(held('quick', 400), 0)
  prove(lanes, 60)
  lanes.add(held('dead', 2_000), 0)
  let nowMs = 0
  let dead = 0
  // Each time the others have been silent for long enough to be slow.
  for (let i = 0; i < 10; i++) {
    const started = fill(lanes, nowMs)
    dead += started.filter((each) => each.workspaceId === 'dead').length
    for (const { workspaceId, begun } of started)
      if (workspaceId === 'quick') {
        begun.ended(QUICK, nowMs)
        begun.written(nowMs)
      }
    nowMs += 3_000
  }
  assert.ok(dead <= (MAX_IN_FLIGHT * 3) / 4, `${dead} on the wire to dead receivers`)
  const started = fill(lanes, nowMs)
  assert.ok(started.filter((each) => each.workspaceId === 'quick').length >= MAX_IN_FLIGHT / 4)
})

test('a receiver whose first answer is silence has one request at a time', () => {
  const lanes = openLanes()
  lanes.add(held('dead', 1), 0)
  prove(lanes, 1, SILENT)
  assert.equal(fill(lanes, 10_000).length, 1)
})

test('known to be slow, they hold a quarter at most', () => {
  const lanes = openLanes()
  lanes.add(held('dead', 1_000), 0)
  prove(lanes, 40, SILENT)
  const started = fill(lanes, 0)
  assert.equal(started.length, MAX_IN_FLIGHT / 4)
  assert.ok(Object.values(countBy(started, (each) => each.endpointId)).every((n) => n === 1))
})

test('the room of an endpoint grows while it is quick, to 32, and halves when it is silent', () => {
  const lanes = openLanes()
  lanes.add(held('w', 1), 0)
  assert.equal(fill(lanes, 0).length, 1)
  const fresh = openLanes()
  fresh.add(held('w', 1), 0)
  prove(fresh, 1)
  assert.equal(fill(fresh, 0).length, 4)
  const grown = openLanes()
  grown.add(held('w', 1), 0)
  prove(grown, 1_000)
  const wire = fill(grown, 0)
  assert.equal(wire.length, 32)
  for (const { begun } of wire) {
    begun.ended(QUICK, 0)
    begun.written(0)
  }
  prove(grown, 1, { isSuccess: false, isSilent: true, durationMs: 5 })
  assert.equal(fill(grown, 0).length, 1)
})

test('a lane is given up idle, not with an outcome unwritten, and comes back as it was known', () => {
  const lanes = openLanes()
  const [lane] = held('w', 1)
  lanes.add([lane!], 0)
  prove(lanes, 1_000)
  const [first, ...rest] = fill(lanes, 0)
  for (const { begun } of rest) {
    begun.ended(QUICK, 0)
    begun.written(0)
  }
  first!.begun.ended(QUICK, 0)
  assert.deepEqual(lanes.takeIdle(5_000), [])
  first!.begun.written(1_000)
  assert.deepEqual(lanes.takeIdle(2_900), [])
  assert.deepEqual(lanes.takeIdle(3_000), [lane])
  assert.equal(lanes.size, 0)
  lanes.add([lane!], 4_000)
  assert.equal(fill(lanes, 4_000).length, 32)
})

test('a lane whose outcomes are not written stops at a thousand, and goes on when they are', () => {
  const lanes = openLanes()
  lanes.add(held('w', 1), 0)
  const ended: StartedRequest[] = []
  for (let round = 0; round < 2_000; round++)
    for (const { begun } of fill(lanes, 0)) {
      begun.ended(QUICK, 0)
      ended.push(begun)
    }
  assert.ok(ended.length >= 1_000 && ended.length < 1_032, `${ended.length}`)
  for (const begun of ended) begun.written(0)
  assert.ok(fill(lanes, 0).length > 0)
})

test('a lane that was told while it was asked is asked again at once', () => {
  const lanes = openLanes()
  const [a, b] = held('w', 2)
  lanes.add([a!, b!], 0)
  const asked = lanes.share(10, false)
  assert.equal(asked.length, 2)
  assert.equal(lanes.wake(11, [a!.endpointId]), true)
  lanes.claimed(asked, [], 10, 12)
  assert.deepEqual(
    lanes.share(13, false).map((each) => each.lane.endpointId),
    [a!.endpointId],
  )
  assert.equal(lanes.wake(14, ['unknown']), false)
  assert.equal(lanes.wake(14), false)
})

test('a lane that gives all it is asked for goes on where it ended, and begins at its head twice a second', () => {
  const lanes = openLanes()
  const [a] = held('w', 1)
  lanes.add([a!], 0)
  const { endpointId, url } = a!
  let dueAtUs = 0
  const round = (atMs: number, isOfBacklogs: boolean, count = 1) => {
    assert.deepEqual(lanes.share(atMs, !isOfBacklogs), [])
    const [asked] = lanes.share(atMs, isOfBacklogs)
    const claims = Array.from({ length: count }, () => ({
      endpointId,
      url,
      dueAtUs: ++dueAtUs,
      id: 'x',
    }))
    lanes.claimed([asked!], claims.toReversed(), atMs, atMs)
    return asked!.after
  }
  assert.equal(round(0, false), null)
  assert.deepEqual(round(10, true), { dueAtUs: 1, id: 'x' })
  assert.deepEqual(round(490, true), { dueAtUs: 2, id: 'x' })
  assert.equal(round(500, true), null)
  assert.deepEqual(round(510, true, 0), { dueAtUs: 4, id: 'x' })
  assert.equal(
    round(520, false, 0),
    null,
    'nothing behind that place: the head is looked at once more',
  )
  assert.equal(lanes.share(530, false).length, 0, 'and then the lane is empty')
})

test('what was asked for counts until the answer is there, or is known to be lost', () => {
  const lanes = openLanes()
  lanes.add(held('w', 1), 0)
  prove(lanes, 1)
  const wanted = lanes.share(0, true)
  assert.deepEqual(
    wanted.map(({ free }) => free),
    [4],
  )
  assert.deepEqual(lanes.share(0, true), [], 'one question at a time')
  assert.deepEqual(lanes.takeIdle(0, 0), [], 'a lane that is asked is not given back')
  lanes.doubt(wanted)
  assert.deepEqual(lanes.share(0, true), [], 'what was claimed of it is not known')
  assert.equal(lanes.takeIdle(0, 0).length, 1)
  lanes.add(held('w', 1), 0)
  assert.equal(lanes.share(0, false).length, 1)
})

test('nothing is left on the wire when all of it has ended', () => {
  const lanes = openLanes()
  lanes.add(held('w', 50), 0)
  const wire = fill(lanes, 0)
  lanes.takeAll()
  lanes.add(held('w', 50), 0)
  for (const { begun } of wire) {
    begun.ended(SILENT, 0)
    begun.written(0)
  }
  assert.equal(lanes.inFlight, 0)
  assert.equal(fill(lanes, 0).length, 50)
})
