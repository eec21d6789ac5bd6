import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, say } from './checkout.js'

/**
 * Records of the processes that install into this checkout, and of those that run from it.
 *
 *   .launch/lock/      the processes that install; the folder is created and removed by rename, so
 *                      it is never half written and never held by two
 *   .launch/running/   one file per process that runs from node_modules
 *
 * A record counts as long as its process lives. A process is identified by its id and its start
 * time: ids are used again, in a container always the same few. The folder is outside of
 * node_modules because `npm ci` empties that.
 */
const HOME = join(ROOT, '.launch')
const LOCK = join(HOME, 'lock')
const RUNNING = join(HOME, 'running')
/** A process that waits longer prints a message; a check of the dependencies is usually shorter. */
const MESSAGE_AFTER_MS = { installing: 500, checking: 10_000 }
/** In the lock, while its holder runs npm. */
const NPM_RECORD = 'npm'
const STRAY_MS = 3_600_000

/** @typedef {{ pid: number, born: string, command: string }} Holder */

/**
 * Creates the folder of records. False when this user may not write here: then nothing can be
 * installed either, and a complete checkout runs as it is.
 */
export function openRecords() {
  try {
    mkdirSync(RUNNING, { recursive: true })
    writeFileSync(join(HOME, `claim.${process.pid}`), '')
    rmSync(join(HOME, `claim.${process.pid}`))
    return true
  } catch {
    return false
  }
}

/**
 * Runs `task` while no other process on this checkout is inside its own `exclusively`. Waits for
 * as long as the holder lives; a dead holder's lock is broken.
 * @template T
 * @param {string} command
 * @param {(addHolder: (pid: number) => void) => Promise<T>} task `addHolder` keeps the lock alive
 *   with a child that may outlive this process
 * @returns {Promise<T>}
 */
export async function exclusively(command, task) {
  const claim = join(HOME, `claim.${randomBytes(8).toString('hex')}`)
  mkdirSync(claim)
  writeRecord(join(claim, 'launcher'), process.pid, command)
  const claimedAt = Date.now()
  for (let isAnnounced = false; !tryRename(claim, LOCK);) {
    const holders = recordsIn(LOCK)
    const living = holders.find(isAlive)
    const doing = existsSync(join(LOCK, NPM_RECORD)) ? 'installing' : 'checking'
    if (living && !isAnnounced && Date.now() > claimedAt + MESSAGE_AFTER_MS[doing]) {
      const what = doing === 'installing' ? 'is installing' : 'is checking the dependencies'
      say(`"${living.command}" (process ${living.pid}) ${what}; waiting for it.`)
      isAnnounced = true
    }
    if (living) await sleep(20)
    else breakLock(holders)
  }
  try {
    removeStrays()
    return await task((pid) => writeRecord(join(LOCK, NPM_RECORD), pid, command))
  } finally {
    if (tryRename(LOCK, claim)) rmSync(claim, { recursive: true, force: true })
  }
}

/**
 * Every process that finds the same dead holder moves the lock to the same name, which only the first
 * can do: a slower one cannot remove the lock that a third has taken in between.
 * @param {Holder[]} dead
 */
function breakLock(dead) {
  const [holder] = dead
  if (holder) tryRename(LOCK, join(HOME, `dead.${holder.pid}.${holder.born}`))
}

/** Removes broken locks and claims that are too old to be in use. */
function removeStrays() {
  for (const name of readdirSync(HOME)) {
    const path = join(HOME, name)
    if (!/^(dead|claim)\./.test(name)) continue
    // Another process may remove its claim in between.
    const found = statSync(path, { throwIfNoEntry: false })
    if (found && Date.now() - found.ctimeMs > STRAY_MS)
      rmSync(path, { recursive: true, force: true })
  }
}

/** Records that this process runs from node_modules, until it ends. @param {string} command */
export function markRunning(command) {
  const mark = join(RUNNING, String(process.pid))
  writeRecord(mark, process.pid, command)
  process.on('exit', () => rmSync(mark, { force: true }))
}

/** Lists the live processes that run from this checkout's node_modules, and removes the dead. */
export function runningHolders() {
  const holders = recordsIn(RUNNING)
  for (const dead of holders.filter((holder) => !isAlive(holder)))
    rmSync(join(RUNNING, String(dead.pid)), { force: true })
  return holders.filter(isAlive)
}

/** @param {string} from @param {string} to a folder that does not exist, or is empty */
function tryRename(from, to) {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error)
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOENT') return false
    throw error
  }
}

/** @param {string} file @param {number} pid @param {string} command */
function writeRecord(file, pid, command) {
  writeFileSync(file, JSON.stringify({ pid, born: startTimeOf(pid), command }))
}

/** @param {string} folder @returns {Holder[]} */
function recordsIn(folder) {
  try {
    return readdirSync(folder).flatMap((name) => {
      try {
        return [JSON.parse(readFileSync(join(folder, name), 'utf8'))]
      } catch {
        return []
      }
    })
  } catch {
    return []
  }
}

/** @param {Holder} holder */
function isAlive({ pid, born }) {
  const now = startTimeOf(pid)
  return now === born || (now === '' && isHidden(pid))
}

/** A process of another user that this system hides. @param {number} pid */
function isHidden(pid) {
  try {
    return process.kill(pid, 0) && false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** The start time of a process, as the system writes it; '' when it does not exist. @param {number} pid */
function startTimeOf(pid) {
  if (process.platform !== 'linux') {
    const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
    return stdout.trim().replaceAll(/\W+/g, '-')
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses and may hold anything.
    const [state, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (state === 'Z') return ''
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').slice(0, 8)
    return `${boot}-${rest[18]}`
  } catch {
    return ''
  }
}
