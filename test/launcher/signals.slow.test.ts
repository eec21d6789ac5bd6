import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { startManaged } from '../support/service-manager.ts'
import { makeCheckout, run } from '../support/launcher-checkout.ts'

/** Makes the launcher take its Node for one that is not pinned, so that it starts the pinned one. */
const OTHER_NODE =
  '--import=data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"22.0.0"}})'

/** Content of `src/main.ts`: answers on the first socket that it was given whether it was meant for this process. */
const SOCKET_SERVER = `
import { createServer } from 'node:http'
const isOwn = process.env.LISTEN_PID === String(process.pid) && process.env.LISTEN_FDS === '1'
const server = createServer((_req, res) => res.end(isOwn ? 'its own process' : 'another process'))
server.listen({ fd: 3 })
process.on('SIGTERM', () => process.exit(0))
`

test('SIGTERM to npm itself closes the program in order', async (t) => {
  const { folder } = makeCheckout(t, 'server')
  const npm = run(t, 'npm', ['start'], folder, {})
  await npm.says('ready')
  process.kill(npm.pid, 'SIGTERM')
  assert.equal(await npm.ended, 0, npm.stderr())
  assert.equal(npm.stdout().split('closed in order').length, 2)
})

test('Ctrl-C closes the program once and in order', async (t) => {
  const { folder } = makeCheckout(t, 'server')
  const npm = run(t, 'npm', ['start'], folder, {})
  await npm.says('ready')
  process.kill(-npm.pid, 'SIGINT')
  assert.equal(await npm.ended, 0, npm.stderr())
  assert.equal(npm.stdout().split('closed in order').length, 2)
})

test('npm run -s prints only what the program prints', async (t) => {
  const { folder } = makeCheckout(t, 'server')
  const npm = run(t, 'npm', ['run', '-s', 'signpost', '--', 'list', '--json', '--fail'], folder, {
    NODE_ENV: 'production',
  })
  assert.equal(await npm.ended, 3, npm.stderr())
  assert.deepEqual(JSON.parse(npm.stdout()), {
    args: ['list', '--json', '--fail'],
    node: process.version,
  })
})

test('on the pinned Node the program is the process that npm started', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'])
  await server.says(`ready ${server.pid} ${process.version}`)
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/running')), [String(server.pid)])
  process.kill(server.pid, 'SIGTERM')
  assert.equal(await server.ended, 0)
  assert.deepEqual(readdirSync(join(checkout.folder, '.launch/running')), [])
})

test('on another Node the launcher runs the pinned one and passes on signals and code', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const failed = checkout.launch(['cli', '--fail'], {}, [OTHER_NODE])
  assert.equal(await failed.ended, 3, failed.stderr())
  assert.deepEqual(JSON.parse(failed.stdout()), { args: ['--fail'], node: process.version })

  for (const send of [
    (pid: number) => process.kill(pid, 'SIGTERM'),
    (pid: number) => process.kill(pid, 'SIGINT'),
    (pid: number) => process.kill(-pid, 'SIGINT'),
  ]) {
    const server = checkout.launch(['start'], {}, [OTHER_NODE])
    await server.says('ready')
    assert.doesNotMatch(server.stdout(), new RegExp(`ready ${server.pid} `))
    send(server.pid)
    assert.equal(await server.ended, 0, server.stderr())
    assert.equal(server.stdout().split('closed in order').length, 2)
  }
})

test('a program ended by a signal ends the launcher by that signal', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'], {}, [OTHER_NODE])
  await server.says('ready')
  process.kill(programOf(server.stdout()), 'SIGHUP')
  assert.equal(await server.ended, 'SIGHUP')
})

test('a launcher that is killed takes its program with it, in order', async (t) => {
  const checkout = makeCheckout(t, 'server')
  const server = checkout.launch(['start'], {}, [OTHER_NODE])
  await server.says('ready')
  const exit = once(server.child, 'exit')
  process.kill(server.pid, 'SIGKILL')
  await exit
  await eventually(() => assert.match(server.stdout(), /closed in order/), 60_000)
})

test('on another Node the launcher passes on the sockets of systemd', async (t) => {
  const { folder } = makeCheckout(t, 'server')
  writeFileSync(join(folder, 'src/main.ts'), SOCKET_SERVER)
  const command = [process.execPath, OTHER_NODE, 'bin/launch.js', 'start']
  const { port, output } = await startManaged(t, command, () => ({}), folder)
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  assert.equal(await answer.text(), 'its own process', output())
})

function programOf(stdout: string): number {
  return Number(/ready (\d+)/.exec(stdout)?.[1])
}
