import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import {
  installedPackages,
  lackingPackages,
  LaunchError,
  lockedPackages,
  ROOT,
  say,
} from './checkout.js'
import { Interrupted, runChild } from './children.js'
import { exclusively, markRunning, openRecords, runningHolders } from './holders.js'
import { linkPinnedNode } from './node.js'

/** Present from before `npm ci` empties node_modules until npm has said that it is done. */
const UNFINISHED = join(ROOT, '.launch/unfinished')

/**
 * Makes node_modules what package-lock.json says, as far as the command needs it. Nothing is asked
 * of the network, and npm is not even started, when it already is.
 *
 *   complete ───────────────────────────────────────────────▶ run
 *   only test packages lacking ──▶ npm install (adds, removes nothing in use) ──▶ run
 *   anything else ──▶ does someone run from here? ──yes──▶ one sentence, exit 1
 *                                                 ──no───▶ npm ci ──▶ run
 *
 * @param {{ command: string, dev: boolean, isRunFromHere: boolean }} need `isRunFromHere`: this very
 *   process goes on to run from node_modules
 */
export async function provide({ command, dev, isRunFromHere }) {
  if (!openRecords()) {
    if (lacking(dev).length === 0) return
    throw new LaunchError(
      `the dependencies are not installed and this user cannot write in ${ROOT}; start it once as its owner.`,
    )
  }
  await exclusively(command, async (addHolder) => {
    if (lacking(dev).length > 0) await install(dev, addHolder)
    if (isRunFromHere) markRunning(command)
  })
}

/** @param {boolean} dev */
function lacking(dev) {
  const installed = existsSync(UNFINISHED) ? {} : installedPackages()
  return lackingPackages(lockedPackages(), installed, { dev })
}

/** @param {boolean} dev @param {(pid: number) => void} addHolder */
async function install(dev, addHolder) {
  const isAddition = lacking(false).length === 0
  const [holder] = runningHolders()
  if (holder && !isAddition)
    throw new LaunchError(
      `the installed dependencies are not those of package-lock.json, and "${holder.command}" (process ${holder.pid}) runs from them; stop it, then start again.`,
    )
  say(
    isAddition
      ? 'installing what tests and checks need …'
      : 'installing dependencies (about 0.9 GB, once) …',
  )
  const startedAt = Date.now()
  if (isAddition) removeRemains()
  else writeFileSync(UNFINISHED, '')
  const verb = isAddition ? ['install', '--no-save'] : ['ci']
  await npm([...verb, dev ? '--include=dev' : '--omit=dev'], addHolder)
  linkPinnedNode()
  rmSync(UNFINISHED, { force: true })
  const [first] = lacking(dev)
  if (first)
    throw new LaunchError(
      `npm ended without installing ${first.replace(/^node_modules\//, '')}; is the registry reachable?`,
    )
  say(`installed in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

/**
 * Folders that an interrupted addition left behind. npm would take them for whole, because each may
 * already have its package.json.
 */
function removeRemains() {
  const locked = lockedPackages()
  const installed = installedPackages()
  for (const folder of Object.keys(locked))
    if (locked[folder]?.dev && !installed[folder])
      rmSync(join(ROOT, folder), { recursive: true, force: true })
}

/**
 * Settings of the machine or the user that would install something else than the lockfile says are
 * overruled; registry, proxy and certificates are theirs.
 */
const OVERRULED = [
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
    [...first, ...args, ...OVERRULED],
    { cwd: ROOT, stdio: ['ignore', 2, 2] },
    (child) => {
      if (child.pid) addHolder(child.pid)
    },
  )
  if (ending.code === 0) return
  const signal = ending.signal ?? ending.asked
  if (signal) throw new Interrupted(signal)
  throw new LaunchError(`npm could not install the dependencies; its own words are above.`)
}

/**
 * The npm that started this process, on the Node that runs it; else the one beside this Node; else
 * the first on the PATH. (Under another package manager `npm_execpath` is not npm's.)
 * @returns {[string, ...string[]]}
 */
function findNpm() {
  const { npm_execpath: given, npm_node_execpath: node } = process.env
  if (given && basename(given) === 'npm-cli.js' && existsSync(given))
    return [node && existsSync(node) ? node : process.execPath, given]
  const beside = join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js')
  return existsSync(beside) ? [process.execPath, beside] : ['npm']
}
