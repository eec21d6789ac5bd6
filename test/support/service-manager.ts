import { spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { until } from './eventually.ts'
import type { Owner } from './owner.ts'

const ROOT = join(import.meta.dirname, '../..')

/** As in `deploy/signpost.socket`. */
const BACKLOG = 65_535

/** Starts the command with the socket as descriptor 3, again after each end, until SIGTERM. */
const KEEP_RUNNING = `
trap 'stop=1; kill "$pid"' TERM
until [ "$stop" ]; do
  sh -c 'export LISTEN_PID=$$; echo "started $$"; exec "$@"' sh "$@" &
  pid=$!
  wait "$pid"
done
wait "$pid"
`

export type Managed = {
  port: number
  /** The processes so far, the running one last. */
  pids(): number[]
  /** Ends the running process in order; resolves when the next one has been started. */
  restart(): Promise<void>
  output(): string
  /** Stops process and manager. */
  stop(): Promise<void>
}

/**
 * Plays systemd with a socket unit: holds a listening socket on a free port of 127.0.0.1, and keeps a process running that gets
 * it.
 * @param env may depend on the port
 */
export async function startManaged(
  t: Owner,
  command: readonly string[],
  env: (port: number) => Record<string, string>,
  cwd = ROOT,
): Promise<Managed> {
  const socket = createServer().listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG })
  await new Promise((resolve) => socket.once('listening', resolve))
  const { port } = socket.address() as { port: number }
  // A private field, since there is no public one.
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle
  const manager = spawn('sh', ['-c', KEEP_RUNNING, 'sh', ...command], {
    cwd,
    env: { ...process.env, LISTEN_FDS: '1', LISTEN_FDNAMES: 'http', ...env(port) },
    stdio: ['ignore', 'pipe', 'pipe', fd],
  })
  // In the same turn, so that this process accepts no connection.
  socket.close()
  let output = ''
  for (const stream of [manager.stdout!, manager.stderr!])
    stream.on('data', (chunk) => (output += String(chunk)))
  const ended = new Promise<void>((resolve) => manager.once('close', () => resolve()))
  const stop = () => {
    manager.kill('SIGTERM')
    return ended
  }
  t.after(stop)
  const pids = () => Array.from(output.matchAll(/^started (\d+)$/gm), ([, pid]) => Number(pid))
  await until(() => pids().length > 0, 'the process was started')
  const restart = async () => {
    const earlier = pids()
    process.kill(earlier.at(-1)!, 'SIGTERM')
    await until(() => pids().length > earlier.length, 'the process was started again')
  }
  return { port, pids, restart, output: () => output, stop }
}
