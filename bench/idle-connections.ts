import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf } from '../test/support/processes.ts'
import { hasCommand, startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound } from './support/figures.ts'
import { fillLinks, PREFIXES } from './support/links.ts'
import { startNginx } from './support/nginx.ts'
import { readOptions } from './support/options.ts'
import { readMegabytes } from './support/process-memory.ts'
import { readTreeCpu } from './support/process-tree.ts'

/**
 * Measures what idle connections cost, each after one redirect: the anonymous memory of the redirect process, beside
 * nginx where it is installed, and the CPU of both. Half of the connections are opened
 * before the first reading, so that it counts neither the code nor the start. Linux only; the limit of open files must
 * be above the number of connections.
 *
 *   node bench/idle-connections.ts [--connections 10000] [--seconds 20]
 *
 * It prints no figure and ends with 1 when a single request fails or a connection is closed.
 */
const { connections, seconds } = readOptions({ connections: 10_000, seconds: 20 })
const half = Math.ceil(connections / 2)
const AT_ONCE = 100

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
const databases = stack.use(await openDatabases())
await fillLinks(databases.sql, { plain: 1 })

const journal = join(folder, 'journal')
mkdirSync(journal)
const redirect = await startScript('redirect-server.ts', ['edge', databases.url, '1', journal])
await measure('redirect', Number(redirect.line), redirect.child.pid!)
await stopScript(redirect.child)
if (hasCommand('nginx')) {
  const nginx = await startNginx(folder)
  stack.defer(nginx.stop)
  await measure('nginx', nginx.port, nginx.child.pid!)
}

async function measure(name: string, port: number, pid: number): Promise<void> {
  const first = await openConnections(port, half)
  const few = memoryOf(pid)
  const all = [...first, ...(await openConnections(port, half))]
  const kibibytes = ((memoryOf(pid) - few) / half) * 1_024
  const before = readTreeCpu(pid)
  await sleep(seconds * 1_000)
  const after = readTreeCpu(pid)
  const idleMs = (after.own + after.descendants - before.own - before.descendants) / 1_000
  const closed = all.filter((socket) => socket.destroyed || socket.readableEnded).length
  for (const socket of all) socket.destroy()
  if (isSound(name, closed))
    console.log(
      `${name}: ${kibibytes.toFixed(1)} KiB of anonymous memory for each of ${all.length} idle connections, ${(idleMs / seconds).toFixed(1)} ms of CPU per second`,
    )
}

/** @throws when a connection ends without an answer */
async function openConnections(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(
        Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, () => follow(port)),
      )),
    )
  return sockets
}

async function follow(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET /${PREFIXES.plain}0 HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  if (!answer.toString('latin1').startsWith('HTTP/1.1 302'))
    throw new Error(`the server answers ${answer.toString('latin1')}`)
  return socket.resume()
}

function memoryOf(pid: number): number {
  return [pid, ...childrenOf(pid)].reduce((sum, each) => sum + readMegabytes(each).anonymous, 0)
}
