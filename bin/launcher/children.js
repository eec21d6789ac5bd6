import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { LaunchError } from './checkout.js'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * How a child ended. `asked`: the signal this process was sent meanwhile; a program that closes in
 * order has an exit code all the same.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, asked?: NodeJS.Signals }} Ending
 */

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** What had to be done first was ended by a signal; so is this process. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`)
    this.signal = signal
  }
}

/** @type {Set<ChildProcess>} */
const children = new Set()

/** @type {NodeJS.Signals | undefined} */
let asked

/**
 * Starts a program and waits for its end. Meanwhile this process outlives SIGINT, SIGTERM and SIGHUP
 * and passes them on, so that it is never gone before a child that still closes in order.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: ChildProcess) => void} [onStart]
 * @returns {Promise<Ending>}
 */
export function runChild(file, args, options, onStart) {
  if (children.size === 0) for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options)
    children.add(child)
    const forget = () => {
      children.delete(child)
      if (children.size === 0) for (const signal of FORWARDED) process.off(signal, forward)
    }
    child.once('spawn', () => onStart?.(child))
    child.once('error', (error) => {
      forget()
      reject(new LaunchError(`${file} cannot be run (${error.message}).`))
    })
    child.once('close', (code, signal) => {
      forget()
      resolve({ code, signal, ...(asked ? { asked } : {}) })
    })
  })
}

/** @param {NodeJS.Signals} signal */
function forward(signal) {
  asked = signal
  for (const child of children) child.kill(signal)
}

/** Ends this process the way its child ended. @param {Ending} ending */
export function endLike({ code, signal }) {
  if (!signal) process.exitCode = code ?? 1
  else if (FORWARDED.some((name) => name === signal)) process.kill(process.pid, signal)
  else process.exitCode = 128 + constants.signals[signal]
}
