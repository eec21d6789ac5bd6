import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { takePassedSockets } from '../../../src/platform/http/listening.ts'
import { until } from '../../support/eventually.ts'
import { startManaged } from '../../support/service-manager.ts'

const SERVER_FILE = join(import.meta.dirname, '../../../src/platform/http/http-server.ts')

test('sockets are those of this process, by their names, and child processes inherit no variable', () => {
  const passed = { LISTEN_PID: '7', LISTEN_FDS: '3', LISTEN_FDNAMES: 'http:https:http', PORT: '1' }
  const environment = { ...passed }
  assert.deepEqual(takePassedSockets(environment, 7), { http: [3, 5], https: [4] })
  assert.deepEqual(environment, { PORT: '1' })
  const none = { http: [], https: [] }
  assert.deepEqual(takePassedSockets({ ...passed }, 8), none)
  assert.deepEqual(takePassedSockets({}, 8), none)
  const unnamed = { LISTEN_PID: '7', LISTEN_FDS: '1' }
  assert.deepEqual(takePassedSockets(unnamed, 7), { http: [3], https: [] })
})

test('a server listens on a socket of its port, and refuses one of another port', async (t) => {
  const listenOn = (port: number) => `
    import { openHttpServer } from ${JSON.stringify(SERVER_FILE)}
    const options = { host: '127.0.0.1', port: ${port}, clock: Date.now, sockets: [3] }
    const handlerAt = (port) => (_req, res) => res.end(String(port))
    await openHttpServer(handlerAt, options).catch((error) => console.log(error.message))`
  const run = (portOf: (port: number) => number) =>
    startManaged(
      t,
      ['sh', '-c', `exec "$0" --input-type=module -e "$SCRIPT"`, process.execPath],
      (port) => ({ SCRIPT: listenOn(portOf(port)) }),
    )
  const { port } = await run((its) => its)
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(await answer.text(), String(port))
  const refused = await run((its) => its - 1)
  const message = `The socket that systemd passed for PORT ${refused.port - 1} cannot be used: it is on another port`
  await until(() => refused.output().includes(message), 'the socket is refused')
})
