import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

const hasRedis = spawnSync('redis-server', ['--version']).status === 0
export const SKIP_WITHOUT_REDIS = hasRedis
  ? false
  : 'redis-server is not installed: limits in Redis were NOT tested'

/** A Redis that is empty; ended after the test. */
export async function startRedis(t: TestContext, port: number): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'signpost-redis-'))
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder]
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => String(chunk).includes('Ready to accept') && resolve())
    child.once('exit', (code) => reject(new Error(`redis-server ended with ${code}`)))
  })
  return child
}
