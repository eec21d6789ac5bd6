import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../src/base/log.ts'
import {
  superviseEngine,
  type Engine,
  type RunningEngine,
} from '../../src/storage/embedded/supervisor.ts'
import { until } from '../support/eventually.ts'

const log = openLog('silent')

/** An engine whose starts follow a script; it counts the processes that run. */
function scriptedEngine(starts: ((signal: AbortSignal) => Promise<void>)[]) {
  let running = 0
  let started = 0
  let most = 0
  let end: ((reason: string) => void) | null = null
  const engine: Engine = {
    name: 'scripted',
    async start(signal): Promise<RunningEngine> {
      await starts[started++]?.(signal)
      running++
      most = Math.max(most, running)
      const ended = new Promise<string>((resolve) => {
        end = (reason) => {
          running--
          resolve(reason)
        }
      })
      return { pid: started, ended, stop: async () => end?.('stopped') }
    },
  }
  return {
    engine,
    die: () => end?.('died'),
    counts: () => ({ running, started, most }),
  }
}

const well = async () => {}
const fails = async () => {
  throw new Error('no')
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000
  while (!condition()) {
    assert.ok(performance.now() < deadline, 'the condition never became true')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

test('a first start that fails rejects the call that opens the engine', async () => {
  const { engine, counts } = scriptedEngine([fails])
  await assert.rejects(superviseEngine(engine, log), /no/)
  assert.deepEqual(counts(), { running: 0, started: 1, most: 0 })
})

test('an engine that ends is started until it runs again, one process at a time', async () => {
  const { engine, die, counts } = scriptedEngine([well, fails, fails, well])
  const supervisor = await superviseEngine(engine, log)
  die()
  assert.equal(await until(() => counts().running === 1), undefined)
  assert.equal(supervisor.pid, 4)
  await supervisor[Symbol.asyncDispose]()
  assert.deepEqual(counts(), { running: 0, started: 4, most: 1 })
})

test('closing ends the wait for the next start, and no start follows', async () => {
  const { engine, die, counts } = scriptedEngine([well, fails, fails, fails, fails, fails, well])
  const supervisor = await superviseEngine(engine, log)
  die()
  await until(() => counts().started === 4)
  await supervisor[Symbol.asyncDispose]()
  assert.deepEqual(counts(), { running: 0, started: 4, most: 1 })
})

test('closing while an engine starts leaves no process behind', async () => {
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 50))
  const { engine, die, counts } = scriptedEngine([well, slow])
  const supervisor = await superviseEngine(engine, log)
  die()
  await until(() => counts().started === 2)
  await supervisor[Symbol.asyncDispose]()
  assert.equal(counts().running, 0)
})
