import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLog } from '../../../src/platform/core/log.ts'
import {
  superviseEngine,
  type Engine,
  type RunningEngine,
} from '../../../src/platform/storage/embedded/supervisor.ts'
import { until } from '../../support/eventually.ts'

const log = openLog('silent')

/** An engine whose starts do as they are told, one after the other; it counts what runs. */
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

test('a first start that fails is the opener’s to know', async () => {
  const { engine, counts } = scriptedEngine([fails])
  await assert.rejects(superviseEngine(engine, log), /no/)
  assert.deepEqual(counts(), { running: 0, started: 1, most: 0 })
})

test('an engine that dies is started until it runs again, one at a time', async () => {
  const { engine, die, counts } = scriptedEngine([well, fails, fails, well])
  const supervisor = await superviseEngine(engine, log)
  die()
  assert.equal(await until(() => counts().running === 1), undefined)
  assert.equal(supervisor.pid, 4)
  await supervisor[Symbol.asyncDispose]()
  assert.deepEqual(counts(), { running: 0, started: 4, most: 1 })
})

test('closing ends the wait for the next start, and none follows', async () => {
  const { engine, die, counts } = scriptedEngine([well, fails, fails, fails, fails, fails, well])
  const supervisor = await superviseEngine(engine, log)
  die()
  await until(() => counts().started === 4)
  await supervisor[Symbol.asyncDispose]()
  assert.deepEqual(counts(), { running: 0, started: 4, most: 1 })
})

test('closing while an engine starts leaves none behind', async () => {
  const slow = () => new Promise<void>((resolve) => setTimeout(resolve, 50))
  const { engine, die, counts } = scriptedEngine([well, slow])
  const supervisor = await superviseEngine(engine, log)
  die()
  await until(() => counts().started === 2)
  await supervisor[Symbol.asyncDispose]()
  assert.equal(counts().running, 0)
})
