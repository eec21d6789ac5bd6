import assert from 'node:assert/strict'
import { Agent, get } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callsWith } from '../support/calls.ts'
import { until } from '../support/eventually.ts'
import { freshFolder } from '../support/fixtures.ts'
import { bootstrapKey } from '../support/program.ts'
import { startManaged } from '../support/service-manager.ts'
import { IS_LONG } from '../support/long.ts'

const RESTARTS = IS_LONG ? 10 : 2
/** Of requests that each have a connection of their own. */
const EVERY_MS = IS_LONG ? 2 : 10
const KEPT_CONNECTIONS = 5
const KEPT_EVERY_MS = 20

const SERVER = [process.execPath, 'src/main.ts']

/** Answers by status, and failures by code. */
type Counts = Record<string, number>

test('a restart refuses and resets no connection while systemd holds the socket', async (t) => {
  const dataDir = freshFolder()
  const server = await startManaged(t, SERVER, (port) => ({
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    DRAIN_SECONDS: '2',
  }))
  await ready(server.port)
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  const link = { name: 'A link', destinationUrl: 'https://example.com/landing' }
  const calls = callsWith(apiKey, `http://127.0.0.1:${server.port}`)
  const { slug } = (await calls.post('/links', link)).body.data as { slug: string }

  const counts: Counts = {}
  const visitors = visitSteadily(server.port, `/${slug}`, counts)
  await until(() => (counts['302'] ?? 0) > 100, 'links are visited')
  for (let restart = 1; restart <= RESTARTS; restart++) {
    await server.restart()
    await ready(server.port)
    const before = counts['302']!
    await until(() => counts['302']! > before + 100, 'links are visited again')
  }
  const sent = await visitors.stop()
  // A busy machine may not find a link in time after the start; that answer is no lost connection either.
  const { 302: found, 503: late = 0, ...failures } = counts
  assert.deepEqual(failures, {})
  assert.equal(found! + late, sent)
  assert.equal(server.pids().length, RESTARTS + 1)
  await server.stop()
  assert.doesNotMatch(server.output(), /"level":"(error|fatal)"/)
})

test('a socket for HTTPS_PORT ends the start of a server that has no such port', async (t) => {
  const dataDir = freshFolder()
  const server = await startManaged(t, SERVER, () => ({
    DATA_DIR: dataDir,
    LISTEN_FDNAMES: 'https',
  }))
  const message = /systemd passes a socket named https, and this process serves none/
  await until(() => message.test(server.output()), 'the start is refused')
})

/** Waits in the queue of the socket for a server that starts. */
async function ready(port: number): Promise<void> {
  assert.equal((await fetch(`http://127.0.0.1:${port}/ready`)).status, 200)
}

/** Visits over new connections and over kept ones until stopped, which resolves with the number of requests. */
function visitSteadily(port: number, path: string, counts: Counts) {
  let isOver = false
  let sent = 0
  const visit = async (agent: Agent | false) => {
    sent++
    const result = await request(port, path, agent)
    counts[result] = (counts[result] ?? 0) + 1
  }
  const single: Promise<void>[] = []
  const timer = setInterval(() => single.push(visit(false)), EVERY_MS)
  const kept = Array.from({ length: KEPT_CONNECTIONS }, async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!isOver) {
      await visit(agent)
      await sleep(KEPT_EVERY_MS)
    }
    agent.destroy()
  })
  return {
    async stop() {
      clearInterval(timer)
      isOver = true
      await Promise.all([...single, ...kept])
      return sent
    },
  }
}

/** The status, or the code of the error. */
function request(port: number, path: string, agent: Agent | false): Promise<string> {
  return new Promise((resolve) => {
    const failed = (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message)
    get({ host: '127.0.0.1', port, path, agent }, (answer) => {
      answer
        .once('error', failed)
        .once('end', () => resolve(String(answer.statusCode)))
        .resume()
    }).once('error', failed)
  })
}
