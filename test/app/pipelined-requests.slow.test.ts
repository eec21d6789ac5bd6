import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { callsWith, fetchAnswer } from '../support/calls.ts'
import { eventually } from '../support/eventually.ts'
import { freshImage } from '../support/images.ts'
import { bootstrapKey, freshDataDir, startProgram } from '../support/program.ts'

const REQUESTS = 2_000
const CONNECTIONS = 4
const MAX_GROWTH_KIB = 100 * 1024
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const NO_ID = '01J00000000000000000000000'
const needsProc = { skip: process.platform !== 'linux' && 'it reads /proc' }

type Target = { method: string; path: string; headers?: string }

test(
  'clients that send thousands of requests and read nothing cost little memory, whatever they ask for',
  needsProc,
  async (t) => {
    const { origin, key, pid } = await open(t)
    const targets = [...(await pagesOf(origin, key)), ...(await routesOf(origin, key))]
    assert.ok(targets.length > 200, `${targets.length} targets`)
    // Memory that a part holds from its first use on is not counted.
    for (const target of targets) await ask(origin, target)
    const firstKib = residentKib(pid)
    for (const target of targets) {
      const beforeKib = residentKib(pid)
      await flood(origin, target, async () => {
        const { status } = await fetchAnswer(`${origin}/health`, {})
        assert.equal(status, 200)
        const grownKib = residentKib(pid) - beforeKib
        assert.ok(grownKib < MAX_GROWTH_KIB, `${target.method} ${target.path}: ${grownKib} KiB`)
      })
    }
    const grownKib = residentKib(pid) - firstKib
    assert.ok(grownKib < 4 * MAX_GROWTH_KIB, `${grownKib} KiB in all`)
    t.diagnostic(`${targets.length} targets, ${Math.round(grownKib / 1024)} MiB in all`)
  },
)

async function open(t: TestContext) {
  const dataDir = freshDataDir(t)
  const rates = { RATE_LIMIT_API: '1000000', RATE_LIMIT_AUTH: '1000000' }
  const { origin, child } = await startProgram(t, dataDir, { ...rates, LOG_LEVEL: 'silent' })
  const apiKey = await bootstrapKey({
    DATA_DIR: dataDir,
  })
  return { origin, key: apiKey, pid: child.pid! }
}

/** Addresses for visitors, browsers and programs of the operator, and links and pages of every kind. */
async function pagesOf(origin: string, key: string): Promise<Target[]> {
  const page = await eventually(async () => {
    const answer = await fetchAnswer(`${origin}/app/`, {})
    assert.equal(answer.status, 200)
    return answer.text
  }, 120_000)
  const assets = Array.from(page.matchAll(/\/app\/assets\/[\w.-]+/g), ([path]) => path)
  assert.ok(assets.length > 1)
  const member = callsWith(key, origin)
  const create = async (path: string, body: unknown, type = 'application/json') => {
    const answer = await member.post(path, body, { 'content-type': type })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const destinationUrl = 'https://example.com/landing'
  const link = await create('/links', { name: 'Link', destinationUrl, slug: 'link' })
  await create('/links', { name: 'Locked', destinationUrl, slug: 'locked', password: 'a b c d' })
  const image = await create('/media', freshImage(), 'image/png')
  const bio = { slug: 'bio', title: 'Bio', status: 'published', avatarMediaId: image.id }
  await create('/bio-pages', bio)
  const paths = [
    ...[`/${link.slug}`, `/${link.slug}+`, '/locked', '/p/bio', `/media-public/${image.id}`],
    ...['/', '/nosuch', '/health', '/ready', '/metrics', '/robots.txt'],
    ...['/favicon.ico', '/favicon.svg', '/app', '/app/', '/app/links', '/app/assets/none.js'],
    ...['/v1/openapi.json', '/v1/reference', '/v1/reference/setup.js'],
    ...['/v1/auth/openapi.json', '/v1/auth/reference', '/v1/reference/reference.js'],
    ...['/share/none', '/report-abuse', '/v1/none', '/internal/tls-ask?domain=a.example'],
  ]
  const encodings = ['', 'Accept-Encoding: gzip\r\n', 'Accept-Encoding: br\r\n']
  return [
    ...paths.map((path) => ({ method: 'GET', path })),
    ...encodings.flatMap((headers) => assets.map((path) => ({ method: 'GET', path, headers }))),
    { method: 'POST', path: '/locked' },
  ]
}

/** Every route of the documents, with a key that may do all that a key may. */
async function routesOf(origin: string, key: string): Promise<Target[]> {
  const headers = `Authorization: Bearer ${key}\r\n`
  const documents = await Promise.all(
    ['/v1', '/v1/auth'].map(async (base) => fetchAnswer(`${origin}${base}/openapi.json`, {})),
  )
  return documents.flatMap(({ body }) =>
    Object.entries<object>(body.paths).flatMap(([path, methods]) =>
      METHODS.filter((method) => method in methods).map((method) => ({
        method: method.toUpperCase(),
        path: `/v1${path.replaceAll(/\{\w+\}/g, NO_ID)}`,
        headers,
      })),
    ),
  )
}

function toText({ method, path, headers = '' }: Target, host: string): string {
  const length = method === 'GET' || method === 'DELETE' ? '' : 'Content-Length: 0\r\n'
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${headers}${length}\r\n`
}

/** Waits for the first bytes of the answer. */
function ask(origin: string, target: Target): Promise<void> {
  const { host, hostname, port } = new URL(origin)
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(toText(target, host)))
    socket.once('error', reject).once('data', () => {
      socket.destroy()
      resolve()
    })
  })
}

/** Calls `check` while connections have sent all that the server takes of their requests. */
async function flood(origin: string, target: Target, check: () => Promise<void>): Promise<void> {
  const { host, hostname, port } = new URL(origin)
  const bytes = toText(target, host).repeat(REQUESTS)
  const sockets = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    return socket.on('error', () => {}).pause()
  })
  for (let i = 0; i < 3; i++) {
    await sleep(20)
    await check()
  }
  for (const socket of sockets) socket.destroy()
}

function residentKib(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1])
}
