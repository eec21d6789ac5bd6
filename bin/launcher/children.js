import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { LaunchError } from './checkout.js'

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/**
 * The end of a child. `asked`: a signal that this process received in the meantime; a program that
 * closes in order still has an exit code.
 * @typedef {{ code: number | null, signal: NodeJS.Signals | null, asked?: NodeJS.Signals }} Ending
 */

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])

/** A signal ended a child that had to finish first; this process ends by the same signal. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`ended by ${signal}`)
    this.signal = signal
  }
}

/**
 * Running children, each with the signal to send it instead of the one that this process receives; undefined: the
 * same.
 * @type {Map<ChildProcess, NodeJS.Signals | undefined>}
 */
const children = new Map()

/** @type {NodeJS.Signals | undefined} */
let asked

/**
 * Starts a program and waits for its end. Until then this process survives SIGINT, SIGTERM and SIGHUP
 * and passes them on, so that it never ends before a child that still closes in order.
 * @param {string} file
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 * @param {(child: ChildProcess) => void} [onStart]
 * @param {NodeJS.Signals} [endsWith] the signal to end it with, in the place of the one that was received
 * @returns {Promise<Ending>}
 */
export function runChild(file, args, options, onStart, endsWith) {
  if (children.size === 0) for (const signal of FORWARDED) process.on(signal, forward)
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, options)
    children.set(child, endsWith)
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
  for (const [child, endsWith] of children) child.kill(endsWith ?? signal)
}

/** Ends this process the way its child ended. @param {Ending} ending */
export function endLike({ code, signal }) {
  if (!signal) process.exitCode = code ?? 1
  else if (FORWARDED.some((name) => name === signal)) process.kill(process.pid, signal)
  else process.exitCode = 128 + constants.signals[signal]
}
