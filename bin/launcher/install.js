import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  installedPackages,
  missingPackages,
  LaunchError,
  lockedPackages,
  ROOT,
  say,
} from './checkout.js'
import { Interrupted, runChild } from './children.js'
import { exclusively, markRunning, openRecords, runningHolders } from './holders.js'
import { linkPinnedNode } from './node.js'

/** Exists from before `npm ci` empties node_modules until npm has finished. */
const UNFINISHED = join(ROOT, '.launch/unfinished')

/**
 * Installs the packages of package-lock.json that the command needs. When none is missing, neither
 * npm nor the network is used.
 *
 *   complete ───────────────────────────────────────────────▶ run
 *   only test packages missing ──▶ npm install (adds, removes nothing in use) ──▶ run
 *   anything else ──▶ does a process run from here? ──yes──▶ one sentence, exit 1
 *                                                   ──no───▶ npm ci ──▶ run
 *
 * @param {{ command: string, dev: boolean, isRunFromHere: boolean }} need `isRunFromHere`: this
 *   process itself runs from node_modules afterwards
 */
export async function provide({ command, dev, isRunFromHere }) {
  if (!openRecords()) {
    if (missing(dev).length === 0) return
    throw new LaunchError(
      `the dependencies are not installed and this user cannot write in ${ROOT}; start Signpost once as the owner of that folder.`,
    )
  }
  await exclusively(command, async (addHolder) => {
    if (missing(dev).length > 0) await install(dev, addHolder)
    if (isRunFromHere) markRunning(command)
  })
}

/** @param {boolean} dev */
function missing(dev) {
  const installed = existsSync(UNFINISHED) ? {} : installedPackages()
  return missingPackages(lockedPackages(), installed, { dev })
}

/** @param {boolean} dev @param {(pid: number) => void} addHolder */
async function install(dev, addHolder) {
  const isAddition = missing(false).length === 0
  const [holder] = runningHolders()
  if (holder && !isAddition)
    throw new LaunchError(
      `the installed dependencies differ from package-lock.json, and "${holder.command}" (process ${holder.pid}) runs from them; stop it, then start again.`,
    )
  say(
    isAddition
      ? 'installing the packages of tests and checks …'
      : 'installing dependencies (about 1 GB, once) …',
  )
  const startedAt = Date.now()
  if (isAddition) removeRemains()
  else writeFileSync(UNFINISHED, '')
  const verb = isAddition ? ['install', '--no-save'] : ['ci']
  await npm([...verb, dev ? '--include=dev' : '--omit=dev'], addHolder)
  linkPinnedNode()
  rmSync(UNFINISHED, { force: true })
  const [first] = missing(dev)
  if (first)
    throw new LaunchError(
      `npm ended without installing ${first.replace(/^node_modules\//, '')}; is the registry reachable?`,
    )
  say(`installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/**
 * Removes folders that an interrupted addition left behind. npm would take them for complete, because
 * each may already have its package.json.
 */
function removeRemains() {
  const locked = lockedPackages()
  const installed = installedPackages()
  for (const folder of Object.keys(locked))
    if (locked[folder]?.dev && !installed[folder])
      rmSync(join(ROOT, folder), { recursive: true, force: true })
}

/**
 * Overrides of npm settings that would install anything else than the lockfile says; registry, proxy
 * and certificates remain those of the user.
 */
const OVERRIDES = [
  '--include=optional',
  '--include=peer',
  '--ignore-scripts',
  '--engine-strict=false',
  '--package-lock',
  '--package-lock-only=false',
  '--dry-run=false',
  '--global=false',
  '--location=project',
  '--install-strategy=hoisted',
  '--legacy-peer-deps=false',
  '--bin-links',
  '--no-audit',
  '--no-fund',
  '--json=false',
  '--loglevel=error',
]

/** @param {string[]} args @param {(pid: number) => void} addHolder */
async function npm(args, addHolder) {
  const [file, ...first] = findNpm()
  const ending = await runChild(
    file,
    [...first, ...args, ...OVERRIDES],
    // Out of reach of Ctrl-C: npm would finish first, half a minute later, and report an error.
    { cwd: ROOT, stdio: ['ignore', 2, 2], detached: true },
    (child) => {
      if (child.pid) addHolder(child.pid)
    },
    // The next start installs again what is not complete.
    'SIGKILL',
  )
  if (ending.code === 0) return
  const signal = ending.asked ?? ending.signal
  if (signal) throw new Interrupted(signal)
  throw new LaunchError(`npm could not install the dependencies; see its messages above.`)
}

/**
 * Finds the npm that started this process, on the Node that runs it; else the one beside this Node;
 * else the first on the PATH. (Another package manager sets `npm_execpath` to itself.)
 * @returns {[string, ...string[]]}
 */
export function findNpm() {
  const { npm_execpath: given, npm_node_execpath: node } = process.env
  if (given && basename(given) === 'npm-cli.js' && existsSync(given))
    return [node && existsSync(node) ? node : process.execPath, given]
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  return existsSync(beside) ? [process.execPath, beside] : ['npm']
}
