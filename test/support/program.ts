import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { childrenOf, isOfProgram } from './processes.ts'

const ROOT = join(import.meta.dirname, '../..')
const START_TIMEOUT_MS = 180_000

export type Program = {
  origin: string
  child: ChildProcess
  /** The output so far. */
  output(): { stdout: string; stderr: string }
  /** Resolves with the exit code, or the signal's name. */
  ended: Promise<number | string>
  /** SIGKILL kills its redirect processes and its server process too. */
  stop(signal?: NodeJS.Signals): Promise<number | string>
}

/** Functions that stop the programs on a data directory. */
const closings = new Map<string, (() => Promise<unknown>)[]>()

/** A data directory, removed after the test and after the programs that write to it. */
export function freshDataDir(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'signpost-data-'))
  closings.set(path, [])
  t.after(async () => {
    for (const close of closings.get(path) ?? []) await close()
    closings.delete(path)
    rmSync(path, { recursive: true, force: true, maxRetries: 5 })
  })
  return path
}

/**
 * Starts the program as its own process and waits until it serves. After the test it is stopped in
 * order, so that its engines end as well.
 * @throws when it ends before it is ready; the message holds its output
 */
export async function startProgram(
  t: TestContext,
  dataDir: string,
  env: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<Program> {
  const { child, ended, output } = runNode(['src/main.ts', ...args], {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'warn',
    ...env,
  })
  const close = () => {
    child.kill('SIGTERM')
    return ended
  }
  closings.get(dataDir)?.push(close)
  t.after(close)
  const origin = await new Promise<string>((resolve, reject) => {
    const poll = setInterval(() => {
      const found = /(?:is ready|and answers) at (https?:\S+)/.exec(output().stderr)?.[1]
      if (found) done(() => resolve(found))
    }, 20)
    const timer = setTimeout(
      () => done(() => reject(new Error(`not ready: ${output().stderr}`))),
      START_TIMEOUT_MS,
    )
    const done = (settle: () => void) => {
      clearInterval(poll)
      clearTimeout(timer)
      settle()
    }
    void ended.then((code) =>
      done(() => reject(new Error(`ended with ${code}: ${output().stderr}`))),
    )
  })
  const stop = (signal: NodeJS.Signals = 'SIGTERM') => {
    // Its processes would end in order without it.
    const killed = signal === 'SIGKILL' ? childrenOf(child.pid!).filter(isOfProgram) : []
    child.kill(signal)
    for (const pid of killed) process.kill(pid, signal)
    return ended
  }
  return { origin, child, output, ended, stop }
}

/** Runs a server that cannot start, until it ends by itself. */
export async function runProgram(env: Record<string, string>, args: readonly string[] = []) {
  const { ended, output } = runNode(['src/main.ts', ...args], env)
  const code = await ended
  return { code, ...output() }
}

/** Runs a command line to its end. */
export async function runCli(
  args: readonly string[],
  env: Record<string, string>,
  { input = '' }: { input?: string } = {},
) {
  const { child, ended, output } = runNode(['src/cli.ts', ...args], env)
  child.stdin.end(input)
  const code = await ended
  return { code, ...output() }
}

/** The key of a new owner, made by the command line. */
export async function bootstrapKey(env: Record<string, string>): Promise<string> {
  const { code, stdout, stderr } = await runCli(
    ['bootstrap', '--email', 'owner@example.com', '--json'],
    env,
  )
  assert.equal(code, 0, stderr)
  return (JSON.parse(stdout) as { apiKey: string }).apiKey
}

function runNode(args: readonly string[], env: Record<string, string>) {
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => (stdout += String(chunk)))
  child.stderr.on('data', (chunk) => (stderr += String(chunk)))
  const ended = new Promise<number | string>((resolve) => {
    child.on('close', (code, signal) => resolve(code ?? signal ?? 1))
  })
  return { child, ended, output: () => ({ stdout, stderr }) }
}
