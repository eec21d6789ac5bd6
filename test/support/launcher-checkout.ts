import { spawn, type ChildProcess } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestContext } from 'node:test'
import { freshFolder } from './fixtures.ts'

export const ROOT = resolve(import.meta.dirname, '../..')

type Locked = { dev?: boolean }
type Lockfile = { packages: Record<string, Locked> }

/** Content of `src/main.ts` in a made checkout: says when it is ready, and how it closes. */
const SERVER = `
let asked = 0
const ticking = setInterval(() => {}, 1000)
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    if (++asked > 1) return
    setTimeout(() => { clearInterval(ticking); console.log('closed in order') }, 300)
  })
console.log('ready', process.pid, process.version)
`

const CLI = `
console.log(JSON.stringify({ args: process.argv.slice(2), node: process.version }))
process.exitCode = process.argv.includes('--fail') ? 3 : 0
`

/**
 * Stands in for npm where a test installs: it links what the lockfile asks for, and keeps a diary.
 * NPM_WAITS_FOR: the file that lets it go on.
 */
const NPM = `
import { appendFileSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { link } from '${join(ROOT, 'test/support/launcher-checkout.ts')}'
const args = process.argv.slice(2)
appendFileSync(process.env.NPM_DIARY, args.join(' ') + '\\n')
console.log('npm talks on its stdout as process', process.pid)
// As the real one, which finishes its work first.
process.on('SIGINT', () => console.error('npm error process terminated'))
if (args[0] === 'ci' && existsSync('node_modules'))
  for (const name of readdirSync('node_modules')) rmSync('node_modules/' + name, { recursive: true })
const gate = process.env.NPM_WAITS_FOR
while (gate && !existsSync(gate) && existsSync('package.json')) await new Promise((resolve) => setTimeout(resolve, 20))
if (process.env.NPM_FAILS) process.exit(1)
link(process.cwd(), { dev: args.includes('--include=dev'), without: process.env.NPM_SKIPS })
`

export type Checkout = {
  folder: string
  /** The npm commands that were run in it, one string each. */
  npmCalls(): string[]
  /** Starts the launcher on this test's Node, as the leader of a process group. */
  launch(args: string[], env?: Record<string, string>, nodeArgs?: string[]): Running
  /** Changes the locked version of a package that runs with the server. */
  changeLockfile(): void
}

/**
 * A checkout of its own with a stub of the program. `installed`: what its node_modules starts with,
 * as links to the packages that run this test.
 */
export function makeCheckout(t: TestContext, installed: 'nothing' | 'server' | 'all'): Checkout {
  const folder = freshFolder()
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(join(ROOT, name), join(folder, name))
  cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true })
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'src/main.ts'), SERVER)
  writeFileSync(join(folder, 'src/cli.ts'), CLI)
  mkdirSync(join(folder, 'npm'))
  writeFileSync(join(folder, 'npm/package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'npm/npm-cli.js'), NPM)
  if (installed !== 'nothing') link(folder, { dev: installed === 'all' })
  const diary = join(folder, 'npm/diary')
  return {
    folder,
    npmCalls: () =>
      existsSync(diary) ? readFileSync(diary, 'utf8').split('\n').filter(Boolean) : [],
    launch: (args, env = {}, nodeArgs = []) =>
      run(t, process.execPath, [...nodeArgs, 'bin/launch.js', ...args], folder, {
        npm_execpath: join(folder, 'npm/npm-cli.js'),
        npm_node_execpath: process.execPath,
        NPM_DIARY: diary,
        ...env,
      }),
    changeLockfile() {
      const file = join(folder, 'package-lock.json')
      const lock = readFileSync(file, 'utf8')
      writeFileSync(
        file,
        lock.replace(/("node_modules\/pino": \{\s+"version": )"[^"]+"/, '$1"0.0.1"'),
      )
    },
  }
}

/** Makes `node_modules` as npm would, of links to this checkout's own packages. */
export function link(folder: string, { dev, without }: { dev: boolean; without?: string }): void {
  const own = JSON.parse(
    readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8'),
  ) as Lockfile
  const wanted = Object.entries(own.packages).filter(
    ([name, locked]) => (dev || !locked.dev) && name !== `node_modules/${without}`,
  )
  for (const [name] of wanted) {
    const at = join(folder, name)
    // A package inside another came with the link to the outer one; a workspace is no package to link.
    if (name.lastIndexOf('node_modules/') !== 0 || existsSync(at)) continue
    mkdirSync(dirname(at), { recursive: true })
    symlinkSync(join(ROOT, name), at)
  }
  writeFileSync(
    join(folder, 'node_modules/.package-lock.json'),
    JSON.stringify({ packages: Object.fromEntries(wanted) }),
  )
}

export type Running = {
  child: ChildProcess
  pid: number
  stdout(): string
  stderr(): string
  /** Waits until stdout or stderr holds the text. */
  says(text: string): Promise<void>
  /** Exit code, or the signal that ended it; once all output is read. */
  ended: Promise<number | NodeJS.Signals>
}

/** Starts a program as the leader of a process group, which is killed when the test is over. */
export function run(
  t: TestContext,
  file: string,
  args: string[],
  cwd: string,
  env: Record<string, string>,
): Running {
  const child = spawn(file, args, {
    cwd,
    detached: true,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  let isClosed = false
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
  const pid = child.pid ?? 0
  const ended = new Promise<number | NodeJS.Signals>((done, fail) => {
    child.once('error', fail)
    child.once('close', (code, signal) => {
      isClosed = true
      done(signal ?? code ?? -1)
    })
  })
  t.after(() => {
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group is gone already.
    }
  })
  async function says(text: string): Promise<void> {
    const deadline = Date.now() + 120_000
    while (!stdout.includes(text) && !stderr.includes(text)) {
      if (Date.now() > deadline || isClosed)
        throw new Error(`It never said "${text}".\nstdout: ${stdout}\nstderr: ${stderr}`)
      await sleep(20)
    }
  }
  return { child, pid, stdout: () => stdout, stderr: () => stderr, says, ended }
}

/** This test's environment without what the npm and the test runner around it left there. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const entries = Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_cafile)|NODE_|INIT_CWD|SIGNPOST_)/i.test(name),
  )
  return {
    ...Object.fromEntries(entries),
    // A launcher under test that goes wrong cannot reach a registry.
    npm_config_registry: 'http://127.0.0.1:1',
    npm_config_fetch_retries: '0',
  }
}
