import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runUntil } from '../../src/app/run.ts'
import type { Service } from '../../src/platform/core/service.ts'

/** A part that runs until its signal; what it was told goes into `told`. */
function part(name: string, told: string[]): Service {
  return {
    name,
    run: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          told.push(`${name} ends`)
          resolve()
        }),
      ),
  }
}

test('a signal closes the feeds first, then the parts', async () => {
  const told: string[] = []
  const stop = new AbortController()
  const running = runUntil(stop.signal, [part('a', told)], async () => void told.push('feeds'))
  assert.deepEqual(told, [])
  stop.abort()
  await running
  assert.deepEqual(told, ['feeds', 'a ends'])
})

test('a part that fails ends the others in the same order, and its error is the one thrown', async () => {
  const told: string[] = []
  const failing = { name: 'failing', run: () => Promise.reject(new Error('broken')) }
  const running = runUntil(new AbortController().signal, [part('a', told), failing], async () => {
    told.push('feeds')
  })
  await assert.rejects(running, { message: 'broken' })
  assert.deepEqual(told, ['feeds', 'a ends'])
})

test('the last parts end after the others have, also when closing the feeds or a part fails', async () => {
  const told: string[] = []
  const slow: Service = {
    name: 'slow',
    run: (signal) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () =>
          setTimeout(() => {
            told.push('slow ends')
            resolve()
          }, 20),
        ),
      ),
  }
  await runUntil(AbortSignal.abort(), [slow], async () => {}, [part('last', told)])
  const stuck = async () => {
    throw new Error('stuck')
  }
  await assert.rejects(runUntil(AbortSignal.abort(), [slow], stuck, [part('last', told)]), {
    message: 'stuck',
  })
  const failing = { name: 'failing', run: () => Promise.reject(new Error('broken')) }
  const running = runUntil(new AbortController().signal, [slow], async () => {}, [
    part('last', told),
    failing,
  ])
  await assert.rejects(running, { message: 'broken' })
  const expected = ['slow ends', 'last ends']
  assert.deepEqual(told, [...expected, ...expected, ...expected])
})

test('feeds that cannot be closed do not keep the parts running', async () => {
  const told: string[] = []
  const running = runUntil(AbortSignal.abort(), [part('a', told)], async () => {
    throw new Error('stuck')
  })
  await assert.rejects(running, { message: 'stuck' })
  assert.deepEqual(told, ['a ends'])
})
