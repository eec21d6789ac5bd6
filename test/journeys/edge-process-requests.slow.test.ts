import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { Agent, request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { databasesToMigrate } from '../support/engines.ts'
import { eventually, until } from '../support/eventually.ts'
import { redirectProcessesOf } from '../support/processes.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'

const MEGABYTE = 1024 * 1024
/** Wrong passwords of a link that a network may send in a minute. */
const GUESSES = 5
const PASSWORD = 'quiet harbour lamp'
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

type Request = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
/** A client whose requests are all on one connection, which one process has accepted. */
type Client = ReturnType<typeof clientOf>

test('each process answers every request, and limits hold over all of them', async (t) => {
  const { first, second, create } = await openInstallation(t)

  await t.test('the API, with bodies of any size', async () => {
    const { id, slug } = await create(second, { name: 'By the second process' })
    for (const client of [first, second]) {
      const read = await client.call('GET', `/v1/links/${id}`)
      assert.equal(read.body.data.slug, slug)
      const long = await client.call('POST', '/v1/links', { name: 'x'.repeat(8 * MEGABYTE) })
      assert.equal(long.status, 413)
      // The refusal may have ended the connection.
      await client.connect()
    }
  })

  await t.test('a change is followed by both within seconds', async () => {
    const { id, slug } = await create(first, { name: 'Moves' })
    const leadsTo = (destination: string) =>
      eventually(async () => {
        for (const client of [first, second])
          assert.equal((await client.ask(`/${slug}`)).headers.location, destination)
      })
    await leadsTo('https://example.com/landing')
    const destinationUrl = 'https://example.com/elsewhere'
    await second.call('PATCH', `/v1/links/${id}`, { destinationUrl })
    await leadsTo(destinationUrl)
  })

  await t.test('guesses of a password count together, and a cookie is good for both', async () => {
    const guessed = await create(first, { name: 'Guessed', password: PASSWORD })
    const opened = await create(first, { name: 'Opened', password: PASSWORD })
    const form = (password: string) => `password=${encodeURIComponent(password)}`
    const basic = `Basic ${Buffer.from('user:wrong').toString('base64')}`
    const guess = ({ ask }: Client, i: number) =>
      i % 3 === 0
        ? ask(`/${guessed.slug}`, { headers: { Authorization: basic } })
        : ask(`/${guessed.slug}`, { method: 'POST', headers: FORM, body: form('wrong') })
    const statuses: number[] = []
    for (let i = 0; i < GUESSES; i++) statuses.push((await guess(i % 2 ? first : second, i)).status)
    assert.deepEqual(statuses, Array(GUESSES).fill(401))
    for (const [i, client] of [second, first, second, first].entries())
      assert.equal((await guess(client, i)).status, 429)

    const right = { method: 'POST', headers: FORM, body: form(PASSWORD) }
    const unlocked = await second.ask(`/${opened.slug}`, right)
    assert.equal(unlocked.status, 303)
    const [cookie] = unlocked.headers['set-cookie']![0]!.split(';')
    for (const { ask } of [first, second])
      assert.equal((await ask(`/${opened.slug}`, { headers: { Cookie: cookie! } })).status, 302)
  })

  await t.test('events arrive as they happen, of clicks of each process', async () => {
    const link = await create(first, { name: 'Live' })
    for (const client of [first, second]) {
      const stream = await client.open('/v1/analytics/live', client.authorized)
      let received = ''
      stream.on('data', (chunk) => (received += String(chunk)))
      await until(() => received.length > 0, 'the stream has begun')
      // A stream takes the connection.
      await client.connect()
      for (const { ask } of [first, second]) {
        const clicksBefore = received.split('event: click').length
        assert.equal((await ask(`/${link.slug}`)).status, 302)
        await until(() => received.split('event: click').length > clicksBefore, 'a click arrives')
      }
      stream.destroy()
    }
  })
})

test('a stop ends the connections of every process without a reset, and leaves no process and no journal', async (t) => {
  const installation = await openInstallation(t, { DRAIN_SECONDS: '1' })
  const { program, dataDir, first, second, create } = installation
  const { slug } = await create(first, { name: 'Until the end' })
  await eventually(async () => {
    for (const client of [first, second]) assert.equal((await client.ask(`/${slug}`)).status, 302)
  })
  const edges = redirectProcessesOf(program.child.pid!)
  const stopped = program.stop()
  for (const client of [first, second]) {
    let answer = await client.ask(`/${slug}`)
    while (answer.headers.connection !== 'close') answer = await client.ask(`/${slug}`)
    assert.equal(answer.status, 302)
  }
  assert.equal(await stopped, 0)
  for (const pid of edges) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' })
  assert.deepEqual(readdirSync(join(dataDir, 'journal')), [])
  assert.doesNotMatch(program.output().stdout, /"level":"(error|fatal)"/)
})

/** Two processes on databases of the test, and a client of each. */
async function openInstallation(t: TestContext, env: Record<string, string> = {}) {
  const { postgresUrl, clickhouseUrl } = await databasesToMigrate(t)
  const dataDir = freshDataDir(t)
  const settings = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl, DATA_DIR: dataDir }
  const program = await startProgram(t, dataDir, { ...settings, EDGE_PROCESSES: '2', ...env })
  const apiKey = await bootstrapKey(settings)
  const { port } = new URL(program.origin)
  const ids = redirectProcessesOf(program.child.pid!)
  assert.equal(ids.length, 2)
  const [first, second] = ids.map((pid) => {
    const others = ids.filter((id) => id !== pid)
    return clientOf(t, Number(port), others, apiKey)
  }) as [Client, Client]
  for (const client of [first, second]) await client.connect()
  const create = async (client: Client, link: object) => {
    const { status, body } = await client.call('POST', '/v1/links', {
      destinationUrl: 'https://example.com/landing',
      ...link,
    })
    assert.equal(status, 201)
    return body.data as { id: string; slug: string }
  }
  return { program, dataDir, first, second, create }
}

/** @param others processes that must not accept the connection: they are paused while it is opened */
function clientOf(t: TestContext, port: number, others: readonly number[], apiKey: string) {
  let agent = new Agent({ keepAlive: true, maxSockets: 1 })
  t.after(() => agent.destroy())
  const authorized = { Authorization: `Bearer ${apiKey}` }
  const open = async (path: string, headers: Record<string, string>, sent: Request = {}) => {
    const { method = 'GET', body } = sent
    const options = { host: '127.0.0.1', port, agent, method, path, headers }
    const requested = request(options).end(body)
    const [answer] = (await once(requested, 'response')) as [IncomingMessage]
    return answer
  }
  const ask = async (path: string, { headers = {}, ...sent }: Request = {}) => {
    const answer = await open(path, headers, sent)
    return { status: answer.statusCode!, headers: answer.headers, text: await text(answer) }
  }
  return {
    authorized,
    open,
    ask,
    async call(method: string, path: string, body?: object) {
      const headers = { ...authorized, 'Content-Type': 'application/json' }
      const sent = body === undefined ? {} : { body: JSON.stringify(body) }
      const answer = await ask(path, { method, headers, ...sent })
      return { status: answer.status, body: JSON.parse(answer.text) }
    },
    async connect() {
      agent = new Agent({ keepAlive: true, maxSockets: 1 })
      for (const pid of others) process.kill(pid, 'SIGSTOP')
      try {
        // An address that the edge answers from memory.
        assert.equal((await ask('/no/slug')).status, 404)
      } finally {
        for (const pid of others) process.kill(pid, 'SIGCONT')
      }
    },
  }
}
