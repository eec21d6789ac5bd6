import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairQueue } from '../../../src/platform/work/fair-queue.ts'

const isRefused = { name: 'ApiError', code: 'RATE_LIMITED' }
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Work that ends when the test says so; `begun` names what has begun, in order. */
function openWork() {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const work = (name: string) => () => {
    begun.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    ends.get(name)!()
    await turn()
  }
  return { begun, work, end }
}

test('a key has so much work at a time, so much waits, and the rest is refused', async () => {
  const queue = new FairQueue({ maxRunningPerKey: 2, maxWaitingPerKey: 1, message: 'Too many.' })
  const { begun, work, end } = openWork()
  const all = ['a', 'b', 'c'].map((name) => queue.run(['one'], undefined, work(name)))
  await assert.rejects(queue.run(['one'], undefined, work('d')), {
    ...isRefused,
    details: { retryAfter: 1, limit: 3, window: 1 },
  })
  const other = queue.run(['two'], undefined, work('e'))
  assert.deepEqual(begun, ['a', 'b', 'e'])
  await end('a')
  assert.deepEqual(begun, ['a', 'b', 'e', 'c'])
  for (const name of ['b', 'c', 'e']) await end(name)
  assert.deepEqual(await Promise.all([...all, other]), ['a', 'b', 'c', 'e'])
  assert.equal(queue.size, 0)
})

test('a thousand pieces of one key are not served before the first of another', async () => {
  const queue = new FairQueue({
    maxRunning: 4,
    maxRunningPerKey: 4,
    maxWaitingPerKey: 1_000,
    message: '',
  })
  const order: string[] = []
  const piece = (name: string) => async () => {
    await turn()
    order.push(name)
  }
  const all = Array.from({ length: 1_000 }, () => queue.run(['many'], undefined, piece('many')))
  const few = ['first', 'second'].map((name) => queue.run(['few'], undefined, piece(name)))
  await Promise.all([...all, ...few])
  assert.ok(order.indexOf('first') <= 8, `place ${order.indexOf('first')}`)
  assert.ok(order.indexOf('second') <= 16, `place ${order.indexOf('second')}`)
})

test('a user has one bound over all workspaces, and a workspace one over all users', async () => {
  const queue = new FairQueue({ maxRunningPerKey: 2, maxWaitingPerKey: 200, message: '' })
  const { begun, work, end } = openWork()
  for (let i = 0; i < 100; i++) void queue.run(['user', `workspace${i}`], undefined, work(`u${i}`))
  assert.deepEqual(begun, ['u0', 'u1'])
  // A fellow in a workspace that is full waits, and takes the turn of that workspace.
  void queue.run(['fellow', 'full'], undefined, work('f0'))
  void queue.run(['other', 'full'], undefined, work('f1'))
  void queue.run(['fellow', 'full'], undefined, work('f2'))
  assert.deepEqual(begun, ['u0', 'u1', 'f0', 'f1'])
  await end('f0')
  assert.deepEqual(begun, ['u0', 'u1', 'f0', 'f1', 'f2'])
})

test('work of many owners shares the bound of a common key', async () => {
  const queue = new FairQueue({
    maxRunning: 3,
    maxRunningPerKey: 1,
    maxWaitingPerKey: 1,
    message: '',
  })
  const { begun, work, end } = openWork()
  for (const name of ['a', 'b', 'c']) void queue.run([name], undefined, work(name), 'common')
  void queue.run(['d'], undefined, work('d'))
  assert.deepEqual(begun, ['a', 'd'])
  await end('a')
  assert.deepEqual(begun, ['a', 'd', 'b'])
})

test('aborted work leaves the queue, and work that failed makes room', async () => {
  const queue = new FairQueue({ maxRunningPerKey: 1, maxWaitingPerKey: 2, message: '' })
  const { begun, work, end } = openWork()
  const failing = queue.run(['one'], undefined, async () => {
    await turn()
    throw new Error('own')
  })
  const client = new AbortController()
  const leaving = queue.run(['one'], client.signal, work('left'))
  const staying = queue.run(['one'], undefined, work('stays'))
  client.abort(new Error('gone'))
  await assert.rejects(leaving, { message: 'gone' })
  await assert.rejects(failing, { message: 'own' })
  await assert.rejects(queue.run(['one'], client.signal, work('late')), { message: 'gone' })
  assert.deepEqual(begun, ['stays'])
  await end('stays')
  await staying
  assert.equal(queue.size, 0)
})
