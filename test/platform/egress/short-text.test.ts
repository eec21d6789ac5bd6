import assert from 'node:assert/strict'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test, type TestContext } from 'node:test'
import { createEgressAgent } from '../../../src/platform/egress/agent.ts'
import { createEgressGuard } from '../../../src/platform/egress/guard.ts'
import { readShortText } from '../../../src/platform/egress/client.ts'

async function open(t: TestContext, answer: RequestListener, allowedCidrs = ['127.0.0.0/8']) {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const agent = createEgressAgent(createEgressGuard({ allowedCidrs }))
  t.after(async () => {
    await agent.destroy()
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const bounds = { maxBytes: 64, timeoutMs: 500 }
  return () => readShortText(agent, `http://127.0.0.1:${port}/proof?x`, bounds)
}

test('a short answer is read', async (t) => {
  const read = await open(t, (req, res) => res.end(`${req.method} ${req.url}\n`))
  assert.equal(await read(), 'GET /proof\n')
})

test('any other status, a redirect, a long or a slow answer is none', async (t) => {
  const answers: RequestListener[] = [
    (_req, res) => res.writeHead(404).end('token'),
    (_req, res) => res.writeHead(302, { location: '/token' }).end('token'),
    (_req, res) => res.end('x'.repeat(65)),
    (_req, res) => {
      const timer = setInterval(() => res.write('x'.repeat(1_000)), 5)
      res.on('close', () => clearInterval(timer))
    },
    (_req, res) => {
      res.write('x')
      const timer = setInterval(() => res.write('x'), 100)
      res.on('close', () => clearInterval(timer))
    },
    (_req, res) => res.socket!.destroy(),
    () => {},
  ]
  for (const answer of answers) assert.equal(await (await open(t, answer))(), null)
})

test('an address that the guard refuses is not called', async (t) => {
  let calls = 0
  const read = await open(t, (_req, res) => res.end(`${++calls}`), [])
  assert.equal(await read(), null)
  assert.equal(calls, 0)
})
