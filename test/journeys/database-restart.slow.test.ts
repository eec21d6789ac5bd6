import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { callsWith, type Calls } from '../support/calls.ts'
import { eventually, until } from '../support/eventually.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'
import { IS_LONG } from '../support/long.ts'

const ROUNDS = IS_LONG ? 50 : 2
const WRITERS = 8

/**
 * Writes under load while PostgreSQL is killed again and again. Some statement of a transaction is
 * under way at every kill.
 */
test('PostgreSQL dies under writes: the program lives on, and every change is whole or not there', async (t) => {
  const dataDir = freshDataDir(t)
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  const program = await startProgram(t, dataDir, { LOG_LEVEL: 'error' })
  const owner = callsWith(apiKey, program.origin)
  const tally = { made: new Set<string>(), inDoubt: 0, others: new Map<number, number>() }

  for (let round = 0; round < ROUNDS; round++) {
    const stopping = new AbortController()
    const writers = Array.from({ length: WRITERS }, async () => {
      while (!stopping.signal.aborted) await write(owner, tally)
    })
    const before = { made: tally.made.size, inDoubt: tally.inDoubt }
    // At another moment of a write in each round.
    await until(() => tally.made.size >= before.made + 5 + round)
    process.kill(postmasterOf(dataDir), 'SIGKILL')
    await until(() => tally.inDoubt > before.inDoubt, 'a write meets the outage')
    stopping.abort()
    await Promise.all(writers)
    await eventually(
      async () => assert.equal((await owner.get('/links?limit=1')).status, 200),
      120_000,
    )
  }

  assert.equal(program.child.exitCode, null)
  assert.deepEqual([...tally.others.keys()], [], 'neither made nor refused as unavailable')
  t.diagnostic(`${ROUNDS} kills: ${tally.made.size} made, ${tally.inDoubt} in doubt`)
  const links = await totalOf(owner, '/links')
  assert.ok(links >= tally.made.size, 'a link that was answered is lost')
  assert.ok(links <= tally.made.size + tally.inDoubt, 'more links than were asked for')
  assert.equal(await totalOf(owner, '/audit-log?action=link.created'), links)
  const lost = tally.made.difference(await idsOf(owner))
  assert.equal(lost.size, 0)
})

async function write(
  owner: Calls,
  tally: { made: Set<string>; inDoubt: number; others: Map<number, number> },
): Promise<void> {
  const link = { name: 'Restart', destinationUrl: 'https://example.com/' }
  const { status, body } = await owner.post('/links', link)
  if (status === 201) tally.made.add(body.data.id)
  else if (status === 503) tally.inDoubt++
  else tally.others.set(status, (tally.others.get(status) ?? 0) + 1)
}

/** The first line of the file is the process id of the server that holds the data. */
function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[0])
}

async function totalOf(owner: Calls, path: string): Promise<number> {
  const { body } = await owner.get(path)
  return body.meta.total
}

async function idsOf(owner: Calls): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let offset = 0; ; offset += 100) {
    const { body } = await owner.get(`/links?limit=100&offset=${offset}`)
    const page: { id: string }[] = body.data
    if (page.length === 0) return ids
    for (const { id } of page) ids.add(id)
  }
}
