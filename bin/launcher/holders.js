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
 * Who installs into this checkout, and who runs from it.
 *
 *   .launch/lock/      the processes that install; the folder appears and goes by rename, so it is
 *                      never seen half written and two can never both have it
 *   .launch/running/   one file per process that runs from node_modules
 *
 * A record is trusted only as long as its process lives. A process is its number *and* its moment
 * of birth: numbers come back after a crash, in a container always the same few.
 * It stands beside node_modules because `npm ci` empties that.
 */
const HOME = join(ROOT, '.launch')
const LOCK = join(HOME, 'lock')
const RUNNING = join(HOME, 'running')
/** After that a waiting process says so; a check of the dependencies is usually over by then. */
const TELL_AFTER_MS = { installing: 500, checking: 10_000 }
/** In the lock, while its holder has npm at work. */
const NPM_RECORD = 'npm'
const STRAY_MS = 3_600_000

/** @typedef {{ pid: number, born: string, command: string }} Holder */

/**
 * Makes the folder of records. False when this user may not write here: then nothing can be
 * installed either, and a complete checkout is run as it is.
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
  for (let isTold = false; !tryRename(claim, LOCK);) {
    const holders = recordsIn(LOCK)
    const living = holders.find(isAlive)
    const doing = existsSync(join(LOCK, NPM_RECORD)) ? 'installing' : 'checking'
    if (living && !isTold && Date.now() > claimedAt + TELL_AFTER_MS[doing]) {
      const what = doing === 'installing' ? 'is installing' : 'is checking the dependencies'
      say(`"${living.command}" (process ${living.pid}) ${what}; waiting for it.`)
      isTold = true
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
 * Everyone who finds the same dead holder moves the lock to the same name, which only the first can
 * do: a slower one cannot carry off the lock that a third has taken in between.
 * @param {Holder[]} dead
 */
function breakLock(dead) {
  const [holder] = dead
  if (holder) tryRename(LOCK, join(HOME, `dead.${holder.pid}.${holder.born}`))
}

/** Tombstones and claims that nobody can be waiting on any more. */
function removeStrays() {
  for (const name of readdirSync(HOME)) {
    const path = join(HOME, name)
    if (!/^(dead|claim)\./.test(name)) continue
    if (Date.now() - statSync(path).ctimeMs > STRAY_MS) rmSync(path, { recursive: true })
  }
}

/** Notes that this process runs from node_modules, until it ends. @param {string} command */
export function markRunning(command) {
  const mark = join(RUNNING, String(process.pid))
  writeRecord(mark, process.pid, command)
  process.on('exit', () => rmSync(mark, { force: true }))
}

/** The living processes that run from this checkout's node_modules. Forgets the dead. */
export function runningHolders() {
  const holders = recordsIn(RUNNING)
  for (const dead of holders.filter((holder) => !isAlive(holder)))
    rmSync(join(RUNNING, String(dead.pid)), { force: true })
  return holders.filter(isAlive)
}

/** @param {string} from @param {string} to a folder that must not be there yet, or be empty */
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
  writeFileSync(file, JSON.stringify({ pid, born: birthOf(pid), command }))
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
  const now = birthOf(pid)
  return now === born || (now === '' && isHidden(pid))
}

/** A process of another user that this system does not let us look at. @param {number} pid */
function isHidden(pid) {
  try {
    return process.kill(pid, 0) && false
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM'
  }
}

/** When the process was born, as the system writes it; '' when there is none. @param {number} pid */
function birthOf(pid) {
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
