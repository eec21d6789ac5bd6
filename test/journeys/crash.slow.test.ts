import assert from 'node:assert/strict'
import { globSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import { openClickHouse } from '../../src/platform/storage/clickhouse/clickhouse.ts'
import { openEngines } from '../../src/platform/storage/embedded/engines.ts'
import { HEADER_BYTES } from '../../src/clicks/journal/format.ts'
import { childrenOf } from '../support/processes.ts'
import { bootstrapKey, freshDataDir, type Program, startProgram } from '../support/program.ts'
import { callsWith, eventually } from '../support/world.ts'
import { IS_LONG } from '../support/long.ts'

const ROUNDS = IS_LONG ? 200 : 8
const CONNECTIONS = 16

/**
 * Redirects under load while the process is killed at a random moment, again and again on one data
 * directory. Every second round kills the engines with it.
 */
test('no acknowledged click is lost and none is counted twice across kill -9', async (t) => {
  const dataDir = freshDataDir(t)
  const acknowledged = new Set<string>()
  let inFlight = 0
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  let linkId = ''

  // A machine that answers few redirects before each kill is given more kills.
  const isEnough = () => acknowledged.size > ROUNDS * 10
  let round = 0
  for (; round < ROUNDS || (round < ROUNDS * 4 && !isEnough()); round++) {
    const program = await startProgram(t, dataDir)
    if (linkId === '') {
      const link = { name: 'Crash', destinationUrl: 'https://example.com/', slug: 'crash' }
      const { body } = await callsWith(apiKey, program.origin).post('/links', link)
      linkId = body.data.id
    }
    const load = startLoad(`${program.origin}/crash`)
    await pause(50 + Math.random() * 500)
    killAll(program, round % 2 === 1)
    await program.ended
    const seen = await load.ended
    for (const id of seen.acknowledged) acknowledged.add(id)
    inFlight += seen.inFlight
  }

  const program = await startProgram(t, dataDir)
  const owner = callsWith(apiKey, program.origin)
  // Once the journal is empty, every click is counted.
  const counted = await eventually(async () => {
    assert.ok(journalIsEmpty(dataDir), 'the journal is still being shipped')
    const { body } = await owner.get(`/analytics/links/${linkId}?includeBots=true`)
    const now: number = body.data.totalClicks
    const { body: link } = await owner.get(`/links/${linkId}`)
    assert.equal(link.data.clicks, now)
    assert.ok(journalIsEmpty(dataDir), 'a segment changed its name while it was looked for')
    return now
  }, 180_000)
  await program.stop()

  const stored = await storedClickIds(t, dataDir)
  t.diagnostic(
    `${round} kills: ${acknowledged.size} acknowledged, ${counted} counted, ${inFlight} in flight`,
  )
  assert.ok(isEnough(), `only ${acknowledged.size} redirects were answered`)
  assert.equal(stored.length, counted)
  assert.equal(new Set(stored).size, counted, 'a click is stored twice')
  const lost = acknowledged.difference(new Set(stored))
  assert.equal(lost.size, 0, `${lost.size} acknowledged clicks are lost`)
  assert.ok(counted <= acknowledged.size + inFlight, 'more is counted than was asked for')
})

/** Read from the data directory itself, once no server has it. */
async function storedClickIds(t: TestContext, dataDir: string): Promise<string[]> {
  const log = openLog('silent')
  const engines = await openEngines({ dataDir, log, postgres: false, clickhouse: true })
  const clickhouse = openClickHouse(engines.clickhouseUrl!)
  t.after(async () => {
    await clickhouse.close()
    await engines[Symbol.asyncDispose]()
  })
  const answer = await clickhouse.query({
    query: 'select click_id from clicks',
    format: 'JSONCompactEachRow',
  })
  return (await answer.json<[string]>()).map(([id]) => id)
}

function killAll(program: Program, withEngines: boolean): void {
  const pids = [program.child.pid!, ...(withEngines ? childrenOf(program.child.pid!) : [])]
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was gone already.
    }
  }
}

/**
 * Nothing is left to be shipped in the folder of any process. An open segment counts as well: a
 * killed process's is sealed only when it is taken over. That of the running process holds nothing
 * but its header, because no more clicks arrive.
 */
function journalIsEmpty(dataDir: string): boolean {
  return globSync('journal/*/*.{open,sealed,rows}', { cwd: dataDir }).every((file) => {
    const size = statSync(join(dataDir, file), { throwIfNoEntry: false })?.size ?? 0
    return size <= HEADER_BYTES
  })
}

/**
 * Sends requests until the connection dies. A whole 302 is acknowledged, by the id of its click,
 * which is that of the request; another whole answer is a lookup that was not through in time and
 * counts nothing; what broke off was in flight.
 */
function startLoad(url: string): { ended: Promise<{ acknowledged: string[]; inFlight: number }> } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  const tally = { acknowledged: [] as string[], inFlight: 0 }
  const one = () =>
    new Promise<string | undefined | null>((resolve) => {
      const sent = request(url, { agent }, (response) => {
        response.resume()
        response.on('close', () => {
          if (!response.complete) resolve(null)
          else if (response.statusCode !== 302) resolve(undefined)
          else resolve(String(response.headers['x-request-id']))
        })
      })
      sent.on('error', () => resolve(null))
      sent.end()
    })
  const loop = async () => {
    for (let id = await one(); id !== null; id = await one())
      if (id !== undefined) tally.acknowledged.push(id.slice('req_'.length))
    tally.inFlight++
  }
  const ended = Promise.all(Array.from({ length: CONNECTIONS }, loop)).then(() => {
    agent.destroy()
    return tally
  })
  return { ended }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
