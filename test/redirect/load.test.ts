import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { Loader } from '../../src/platform/work/load.ts'

const KEYS = Array.from({ length: 100 }, (_, i) => `key ${i}`)

function openLoader(fetch: () => Promise<Map<string, string>>) {
  const kept: string[] = []
  const loader = new Loader<string>({
    fetch,
    onLoaded: (key) => kept.push(key),
    log: openLog('silent'),
    what: 'texts',
    budgetMs: 30_000,
  })
  return { loader, kept }
}

function spendMs(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

for (const [name, fetch] of [
  ['one query', () => Promise.resolve(new Map<string, string>())],
  ['a query that failed', () => Promise.reject(new Error('no database'))],
] as const)
  test(`the event loop turns between the answers of ${name}`, async () => {
    const { loader } = openLoader(fetch)
    let turns = 0
    let isDone = false
    const turn = () => {
      turns++
      if (!isDone) setImmediate(turn)
    }
    const turnsAtAnswers = new Set<number>()
    const load = (key: string) =>
      new Promise<void>((resolve) =>
        loader.load(key, () => {
          turnsAtAnswers.add(turns)
          spendMs(0.5)
          resolve()
        }),
      )
    const loads = Promise.all(KEYS.map(load))
    turn()
    await loads
    isDone = true
    // Each turn has time for two answers at least.
    assert.ok(turnsAtAnswers.size > 10, `${turnsAtAnswers.size} turns with answers`)
    assert.ok(loader.queries() < 10, `${loader.queries()} queries`)
  })

test('a key that changes between two answers of its query is not kept', async () => {
  const { loader, kept } = openLoader(() => Promise.resolve(new Map()))
  const last = KEYS.at(-1)!
  const load = (key: string) =>
    new Promise<void>((resolve) =>
      loader.load(key, () => {
        if (key === KEYS[1]) loader.invalidate(last)
        spendMs(0.1)
        resolve()
      }),
    )
  await Promise.all(KEYS.map(load))
  assert.deepEqual(kept, KEYS.slice(0, -1))
})

test('a caller that throws keeps no other one from its answer, nor the next query from its start', async () => {
  const { loader } = openLoader(() => Promise.resolve(new Map()))
  const load = (key: string) => new Promise((resolve) => loader.load(key, resolve))
  loader.load('first', () => {})
  loader.load('broken', () => {
    throw new Error('a broken caller')
  })
  assert.equal(await load('after'), undefined)
  assert.equal(await load('later'), null)
})
