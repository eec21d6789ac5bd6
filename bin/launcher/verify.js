import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { findLockfileProblems, KNOWN_UNHASHED, lockedPackages, ROOT } from './checkout.js'
import { runChild } from './children.js'

/** The path of TypeScript 7: the link in .bin may be that of `typescript5` (docs/decisions/0015-interface.md). */
const TSC = '../typescript/bin/tsc'

/** @type {Array<{ what: string, tool: string, args: string[] }>} */
const CHECKS = [
  { what: 'format', tool: 'oxfmt', args: ['--check', '.'] },
  { what: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { what: 'types', tool: TSC, args: ['--noEmit', '-p', '.'] },
  { what: 'types of the launcher', tool: TSC, args: ['--noEmit', '-p', 'bin'] },
  { what: 'types of the dashboard', tool: TSC, args: ['--noEmit', '-p', 'dashboard'] },
  { what: 'dead code', tool: 'knip', args: ['--no-progress'] },
]

function checkLockfile() {
  const problems = findLockfileProblems(lockedPackages())
  const mark = problems.length === 0 ? 'ok    ' : 'FAILED'
  process.stdout.write(`${mark} lockfile (without a hash: ${KNOWN_UNHASHED.join(', ')})\n`)
  for (const problem of problems) process.stdout.write(`${problem}\n`)
  return problems.length === 0
}

/**
 * Runs every check at once and prints one line for each, and the whole output of a failed one.
 * @param {string} nodePath
 * @param {NodeJS.ProcessEnv} env
 */
export async function verify(nodePath, env) {
  // oxlint prints colors whenever the environment says CI.
  const coloured = process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1', CI: undefined }
  const isLocked = checkLockfile()
  const results = await Promise.all(
    CHECKS.map((check) => runCheck(check, nodePath, { ...env, ...coloured })),
  )
  const failed = results.filter((isGood) => !isGood).length
  if (failed > 0 || !isLocked) process.exitCode = 1
  printSizes()
}

const SHOWN = 10

/** Names the smallest and largest files of src/, which are the first to merge or to divide. */
function printSizes() {
  const files = readdirSync(join(ROOT, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({
      name: relative(ROOT, path),
      lines: readFileSync(path, 'utf8').split('\n').length - 1,
    }))
    .toSorted((a, b) => a.lines - b.lines)
  const show = (/** @type {typeof files} */ some) =>
    some.map(({ name, lines }) => `         ${String(lines).padStart(4)} ${name}\n`).join('')
  process.stdout.write(`       lines of the smallest files\n${show(files.slice(0, SHOWN))}`)
  process.stdout.write(`       lines of the largest files\n${show(files.slice(-SHOWN))}`)
}

/** @param {typeof CHECKS[number]} check @param {string} nodePath @param {NodeJS.ProcessEnv} env */
async function runCheck({ what, tool, args }, nodePath, env) {
  const startedAt = Date.now()
  /** @type {Buffer[]} */
  const output = []
  const file = join(ROOT, 'node_modules/.bin', tool)
  const { code } = await runChild(
    nodePath,
    [file, ...args],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], env },
    (child) => {
      child.stdout?.on('data', (chunk) => output.push(chunk))
      child.stderr?.on('data', (chunk) => output.push(chunk))
    },
  )
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${what} (${seconds} s)\n`)
  if (code !== 0) process.stdout.write(Buffer.concat(output))
  return code === 0
}
