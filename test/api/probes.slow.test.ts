import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { test } from 'node:test'
import Fastify from 'fastify'
import { Registry } from 'prom-client'
import { createChecks, addReady } from '../../src/platform/processes/readiness.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { addProbes } from '../../src/api/site/open.ts'
import { freshDataDir } from '../support/program.ts'
import { freePort } from '../support/free-port.ts'
import { eventually, openWorld } from '../support/world.ts'

const TOKEN = 'metrics-token-of-a-test'

test('metrics are open to this machine and to the token only', async (t) => {
  const dataDir = freshDataDir(t)
  const { origin, call } = await openWorld(t, { config: { metricsToken: TOKEN, dataDir } })
  const port = Number(new URL(origin).port)
  const status = async (lines: string[], version = '1.1') =>
    statusOf(
      port,
      `GET /metrics HTTP/${version}\r\n${[...lines, 'Connection: close'].join('\r\n')}`,
    )
  const here = `Host: localhost:${port}`

  for (const host of [here, `Host: 127.0.0.1:${port}`, 'Host: [::1]', 'Host: LOCALHOST'])
    assert.equal(await status([host]), 200, host)
  for (const site of ['none', 'same-origin'])
    assert.equal(await status([here, `Sec-Fetch-Site: ${site}`]), 200, site)

  const strangers = [
    ['Host: rebound.example'],
    ['Host: localhost.rebound.example'],
    ['Host: 127.0.0.1.rebound.example'],
    ['Host: '],
    [here, 'Origin: https://page.example'],
    [here, 'Origin: null'],
    [here, 'Sec-Fetch-Site: cross-site'],
    [here, 'Sec-Fetch-Site: same-site'],
    [here, 'X-Forwarded-For: 203.0.113.9'],
    [here, 'X-Forwarded-Host: links.example'],
    [here, 'X-Forwarded-Proto: https'],
    [here, 'X-Real-IP: 203.0.113.9'],
    [here, 'Forwarded: for=203.0.113.9'],
    [here, 'Via: 1.1 proxy'],
    [here, 'CF-Connecting-IP: 203.0.113.9'],
  ]
  // The path of the outbox is told to the same clients.
  const outboxPath = async (lines: string[], version = '1.1') => {
    const path = `GET /v1/auth/providers HTTP/${version}`
    const answer = await answerOf(port, [path, ...lines, 'Connection: close'].join('\r\n'))
    assert.match(answer, /"mail":"outbox"/)
    return (/"outboxPath":(null|"[^"]+")/.exec(answer) ?? [])[1]
  }
  for (const lines of [[here], [here, 'Sec-Fetch-Site: same-origin']])
    assert.equal(await outboxPath(lines), JSON.stringify(join(dataDir, 'outbox')))
  for (const lines of strangers.filter(([host]) => host !== 'Host: '))
    assert.equal(await outboxPath(lines), 'null', lines.join())
  assert.equal(await outboxPath([here], '1.0'), 'null')

  for (const lines of strangers) {
    assert.equal(await status(lines), 403, lines.join())
    assert.equal(await status([...lines, `Authorization: Bearer ${TOKEN}`]), 200, lines.join())
    assert.equal(await status([...lines, 'Authorization: Bearer wrong']), 403, lines.join())
  }
  // The form in which nginx forwards a request without further settings.
  assert.equal(await status([here], '1.0'), 403)

  for (const path of ['/metrics', '/health', '/ready'])
    for (const method of ['GET', 'OPTIONS']) {
      const { headers } = await call(method, path)
      const cors = Array.from(headers.keys()).filter((name) => name.startsWith('access-control'))
      assert.deepEqual(cors, [], `${method} ${path}`)
    }
  const api = await call('GET', '/v1/links')
  assert.equal(api.headers.get('access-control-allow-origin'), '*')
})

test('a server with a public address asks this machine for the metrics token too', async (t) => {
  const port = await freePort()
  const config = { publicUrl: 'https://links.example', metricsToken: TOKEN, port }
  await openWorld(t, { config })
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/metrics`, { headers })
  assert.equal((await ask({})).status, 403)
  const providers = await fetch(`http://127.0.0.1:${port}/v1/auth/providers`)
  assert.match(await providers.text(), /"outboxPath":null/)
  const opened = await ask({ authorization: `Bearer ${TOKEN}` })
  assert.equal(opened.status, 200)
  // Names that dashboards for prom-client look for.
  const text = await opened.text()
  assert.match(text, /^process_cpu_user_seconds_total /m)
  assert.match(text, /^nodejs_eventloop_lag_seconds /m)
})

test('two Host headers are refused wherever they lead', async (t) => {
  const { origin } = await openWorld(t)
  const port = Number(new URL(origin).port)
  const hosts = `Host: localhost:${port}\r\nHost: other.example\r\nConnection: close`
  for (const path of ['/v1/links', '/health', '/some-slug'])
    assert.equal(await statusOf(port, `GET ${path} HTTP/1.1\r\n${hosts}`), 400, path)
})

test('concurrent readiness checks share one query to a database that hangs', async () => {
  let asked = 0
  let release = () => {}
  const app = Fastify()
  addProbes(app, {
    registry: new Registry(),
    version: '1',
    metricsToken: null,
    publicUrl: null,
    readiness: {
      readStates: createChecks({
        hanging: () => {
          asked++
          return new Promise<void>((resolve) => (release = resolve))
        },
      }),
      roles: { worker: ['hanging'] },
      decidingRole: 'worker',
      isStopping: () => false,
    },
  })
  const ready = async () => (await app.inject('/ready')).statusCode
  const answers = await Promise.all(Array.from({ length: 20 }, ready))
  assert.deepEqual(new Set(answers), new Set([503]))
  assert.equal(asked, 1)
  release()
  await new Promise((resolve) => setImmediate(resolve))
  await eventually(async () => {
    const next = ready()
    await new Promise((resolve) => setImmediate(resolve))
    release()
    assert.equal(await next, 200)
    assert.equal(asked, 2)
  })
  assert.equal(await ready(), 200)
  assert.equal(asked, 2, 'an answer is shared for a second')
})

test('readiness is that of the deciding role, and the answer names what is away', async () => {
  const away = new Set<string>()
  let isStopping = false
  const check = (name: string) => async () => {
    if (away.has(name)) throw new Error(`${name} is away`)
  }
  const open = () => {
    const app = Fastify()
    addReady(app, {
      readStates: createChecks({ journal: check('journal'), postgres: check('postgres') }),
      roles: { edge: ['journal'], services: ['postgres'] },
      decidingRole: 'edge',
      isStopping: () => isStopping,
    })
    return app.inject('/ready')
  }
  away.add('postgres')
  const withoutDatabase = await open()
  assert.equal(withoutDatabase.statusCode, 200)
  assert.deepEqual(withoutDatabase.json().data, {
    status: 'ready',
    roles: { edge: 'ready', services: 'not_ready' },
    checks: { journal: 'ok', postgres: 'failing' },
  })
  away.add('journal')
  const withoutJournal = await open()
  assert.equal(withoutJournal.statusCode, 503)
  assert.equal(withoutJournal.json().data.status, 'not_ready')
  away.clear()
  isStopping = true
  const stopping = await open()
  assert.equal(stopping.statusCode, 503)
  assert.equal(stopping.json().data.status, 'stopping')
})

test('probes are logged at debug, and other requests at info', async (t) => {
  const lines: string[] = []
  const log = openLog('info', { write: (line) => void lines.push(line) })
  const { call } = await openWorld(t, { log })
  for (const path of ['/health', '/ready', '/metrics', '/v1/links']) await call('GET', path)
  await eventually(() => assert.ok(lines.some((line) => line.includes('"path":"/v1/links"'))))
  assert.deepEqual(
    lines.filter((line) => /"path":"\/(health|ready|metrics)/.test(line)),
    [],
  )
})

test('a journal at its limit makes the edge not ready', async (t) => {
  const { call } = await openWorld(t, { config: { clickJournalMaxBytes: 4_000 } })
  const { status, body } = await call('GET', '/ready')
  assert.equal(status, 503)
  assert.equal(body.data.checks.journal, 'failing')
})

/** The status of a request whose head is sent as it is written there, without its empty line. */
async function statusOf(port: number, head: string): Promise<number> {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(await answerOf(port, head))?.[1])
}

async function answerOf(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write(`${head}\r\n\r\n`))
  socket.setTimeout(20_000, () => socket.destroy())
  let text = ''
  socket.on('data', (chunk) => (text += String(chunk)))
  socket.on('error', () => {})
  await once(socket, 'close')
  return text
}
