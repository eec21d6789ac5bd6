import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { LaunchError, ROOT, say } from './checkout.js'
import { endLike, Interrupted, runChild } from './children.js'
import { provide } from './install.js'
import { programNode } from './node.js'
import { verify } from './verify.js'

/**
 * The commands of the npm scripts. A program is a file of src/, or the demo; the other commands need packages
 * that `npm start` never installs.
 *
 * @typedef {{ path: string, isCurrent: boolean }} ProgramNode
 * @type {Record<string, { program?: string, run: (node: ProgramNode, args: string[]) => Promise<void> }>}
 */
const COMMANDS = {
  start: { program: 'src/main.ts', run: runProgram('start', 'src/main.ts') },
  demo: { program: 'demo/main.ts', run: runProgram('demo', 'demo/main.ts') },
  cli: { program: 'src/cli.ts', run: runProgram('cli', 'src/cli.ts') },
  build: {
    program: 'src/build-dashboard.ts',
    run: runProgram('build', 'src/build-dashboard.ts'),
  },
  screenshots: { run: runTool('demo/screenshots.ts') },
  pack: { run: runTool('clients/pack.js') },
  test: { run: runTests },
  verify: { run: (node) => verify(node.path, toolEnvironment(node)) },
  format: { run: runFormatter },
}

/** Folder of Node's compile cache: a third of a start is compiling. */
const COMPILED = join(ROOT, '.launch/compiled')

/** Names the pipe that closes when a launcher on another Node ends. */
const LIFELINE = 'SIGNPOST_LIFELINE'

/**
 * Runs one of the npm scripts. The exit code becomes this process's.
 * @param {string[]} args the command's name and what follows it
 */
export async function launch([name = '', ...args]) {
  try {
    const command = COMMANDS[name]
    if (!command)
      throw new LaunchError(`there is no "${name}" command; see "scripts" in package.json.`)
    const node = programNode()
    await provide({
      command: name,
      dev: !command.program,
      isRunFromHere: !command.program || node.isCurrent,
    })
    await command.run(node, args)
  } catch (error) {
    if (error instanceof Interrupted) return endLike({ code: null, signal: error.signal })
    if (!(error instanceof LaunchError)) throw error
    say(error.message)
    process.exitCode = 1
  }
}

/** Options of Node that `npm start` sets; others, such as a debugger's port, are for this process. */
const MEMORY_OPTION = /^--(max-semi-space-size=|heap-growing-percent=|expose-gc$)/

/**
 * On the right Node the program is loaded into this very process: the pid npm knows is the
 * program's, and signals reach it directly. On another Node the launcher starts itself again on the
 * right one, and passes on signals and the exit code.
 * @param {string} command
 * @param {string} file
 */
function runProgram(command, file) {
  return async (/** @type {ProgramNode} */ node, /** @type {string[]} */ args) => {
    const lifeline = process.env[LIFELINE]
    delete process.env[LIFELINE]
    if (!node.isCurrent) {
      if (lifeline)
        throw new LaunchError(
          `${node.path} is not of the pinned version; install it again with "npm ci".`,
        )
      const memory = process.execArgv.filter((arg) => MEMORY_OPTION.test(arg))
      return relay(node, [...memory, join(ROOT, 'bin/launch.js'), command, ...args])
    }
    if (lifeline) {
      closeWhenCut(Number(lifeline))
      // The launcher, this process's parent, passed on the sockets that it was given.
      if (process.env.LISTEN_PID === String(process.ppid))
        process.env.LISTEN_PID = String(process.pid)
    }
    const path = join(ROOT, file)
    process.argv = [process.execPath, path, ...args]
    // Node works without the cache where the folder is read-only, as in a checkout of another user.
    module.enableCompileCache(COMPILED)
    // For threads and processes of the program: the one that ships clicks starts in half the time.
    process.env.NODE_COMPILE_CACHE = COMPILED
    await import(pathToFileURL(path).href)
  }
}

/** @param {ProgramNode} node @param {string[]} args */
async function relay(node, args) {
  const sockets = passedSockets()
  const ending = await runChild(node.path, args, {
    stdio: ['inherit', 'inherit', 'inherit', ...sockets, 'pipe'],
    env: { ...process.env, [LIFELINE]: String(3 + sockets.length) },
  })
  endLike(ending)
}

/** Descriptors of the listening sockets that systemd passed to this process (sd_listen_fds(3)). */
function passedSockets() {
  const { LISTEN_PID, LISTEN_FDS } = process.env
  if (LISTEN_PID !== String(process.pid)) return []
  return Array.from({ length: Number(LISTEN_FDS) }, (_, i) => 3 + i)
}

/** A killed launcher cannot pass on signals, so the end of its pipe closes the program in order. */
function closeWhenCut(/** @type {number} */ fd) {
  new Socket({ fd })
    .on('error', () => {})
    .on('close', () => process.kill(process.pid, 'SIGTERM'))
    .resume()
    .unref()
}

/** A program that needs the packages of tests. @param {string} file */
function runTool(file) {
  return async (/** @type {ProgramNode} */ node, /** @type {string[]} */ args) => {
    const options = {
      cwd: ROOT,
      stdio: /** @type {const} */ ('inherit'),
      env: toolEnvironment(node),
    }
    endLike(await runChild(node.path, [join(ROOT, file), ...args], options))
  }
}

const TEST_SETUP = 'test/support/global-setup.ts'
const SLOW = '.slow.test.ts'
/** Per process and per test; the long tests kill and restart hundreds of times. */
const TEST_TIMEOUT_MS = { short: 1_800_000, long: 3_600_000 }
/** Tests wait for databases and timers half of the time. */
const FILES_PER_CORE = 2
const FILES_PER_PROCESS = { fast: 8, slow: 4 }
/** The first two take as long as ten other files, and so begin first; the last one sets the environment of its process. */
const ALONE = [
  'test/authorization.test.ts',
  'test/bench/benches.slow.test.ts',
  'test/redirect/without-short-path.slow.test.ts',
]
/** With V8's default young generation, tests would spend a twentieth of their time in garbage collection. */
const YOUNG_SPACE = '--max-semi-space-size=64'

/**
 * `npm test`, `npm test -- test/redirect`, `npm test -- --test-name-pattern=slug`: passes its arguments to
 * Node's test runner; a folder means the tests in it. Without files it runs all but the slow ones, with `--slow`
 * only these, and with `--all` or `--long` every file.
 * @param {ProgramNode} node
 * @param {string[]} given
 */
async function runTests(node, given) {
  const isLong = given.includes('--long')
  const tiers = ['--long', '--all', '--slow']
  const args = given.filter((arg) => !tiers.includes(arg)).map(testsOf)
  // Without this check a misspelled path would run every test.
  const missing = args.find(
    (arg) => /^(?!-)[^*]*\/[^*]*$/.test(arg) && !existsSync(join(ROOT, arg)),
  )
  if (missing !== undefined) {
    console.error(`there is no test file or folder ${missing}`)
    process.exitCode = 1
    return
  }
  const namesFiles = args.some((arg) => arg.includes('*') || existsSync(join(ROOT, arg)))
  const ending = await runChild(
    node.path,
    [
      '--test',
      YOUNG_SPACE,
      `--test-concurrency=${FILES_PER_CORE * availableParallelism()}`,
      `--test-timeout=${isLong ? TEST_TIMEOUT_MS.long : TEST_TIMEOUT_MS.short}`,
      ...(existsSync(join(ROOT, TEST_SETUP)) ? [`--test-global-setup=${TEST_SETUP}`] : []),
      ...args,
      ...(namesFiles ? [] : inGroups(testFiles(given), isLong ? 1 : FILES_PER_PROCESS.slow)),
    ],
    {
      cwd: ROOT,
      stdio: 'inherit',
      env: {
        ...toolEnvironment(node),
        NODE_COMPILE_CACHE: COMPILED,
        ...(isLong ? { SIGNPOST_LONG_TESTS: '1' } : {}),
      },
    },
  )
  endLike(ending)
}

/** @param {string[]} given */
function testFiles(given) {
  const files = readdirSync(join(ROOT, 'test'), { recursive: true })
    .map((path) => join('test', String(path)))
    .filter((path) => path.endsWith('.test.ts'))
    .toSorted()
  if (given.includes('--all') || given.includes('--long')) return files
  return files.filter((path) => path.endsWith(SLOW) === given.includes('--slow'))
}

/**
 * Groups test files into a few files that import them, because every process spends seconds on loading the program.
 * Files are dealt out in turn: neighbors are in one folder and take about as long. Node runs files in the order of
 * their names, so the longest come first.
 * @param {string[]} files
 * @param {number} slowPerProcess
 */
function inGroups(files, slowPerProcess) {
  const shared = files.filter((file) => !ALONE.includes(file))
  return [
    ...groupsOf(
      '1-alone',
      files.filter((file) => ALONE.includes(file)),
      1,
    ),
    ...groupsOf(
      '2-slow',
      shared.filter((file) => file.endsWith(SLOW)),
      slowPerProcess,
    ),
    ...groupsOf(
      '3-fast',
      shared.filter((file) => !file.endsWith(SLOW)),
      FILES_PER_PROCESS.fast,
    ),
  ]
}

/** @param {string} name @param {string[]} files @param {number} perProcess */
function groupsOf(name, files, perProcess) {
  const folder = join(ROOT, '.launch/tests')
  mkdirSync(folder, { recursive: true })
  const count = Math.ceil(files.length / perProcess)
  return Array.from({ length: count }, (_, n) => {
    const path = join(folder, `${name}-${String(n + 1).padStart(3, '0')}.test.js`)
    const members = files.filter((_file, i) => i % count === n)
    writeFileSync(path, members.map((file) => `import '../../${file}'\n`).join(''))
    return path
  })
}

/** @param {string} arg */
function testsOf(arg) {
  const isFolder = statSync(join(ROOT, arg), { throwIfNoEntry: false })?.isDirectory()
  return isFolder && !arg.startsWith('-') ? join(arg, '**/*.test.ts') : arg
}

/** @param {ProgramNode} node @param {string[]} args */
async function runFormatter(node, args) {
  const ending = await runChild(
    node.path,
    [join(ROOT, 'node_modules/.bin/oxfmt'), ...(args.length > 0 ? args : ['.'])],
    { cwd: ROOT, stdio: 'inherit', env: toolEnvironment(node) },
  )
  endLike(ending)
}

/** The environment whose PATH begins with the Node and the tools of this checkout. @param {ProgramNode} node */
function toolEnvironment(node) {
  const path = [dirname(node.path), join(ROOT, 'node_modules/.bin'), process.env.PATH ?? '']
  return { ...process.env, PATH: path.join(delimiter) }
}
