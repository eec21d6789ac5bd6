import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { inParts } from '../../base/in-parts.ts'
import type { Inspected, PartOfImage } from './picture-process.ts'

const FILE = fileURLToPath(new URL('./picture-process.ts', import.meta.url))
/** An idle process ends after this time, to return its memory. */
const IDLE_MS = 10_000
/** Of one image; longer than the decoding of any that is within the limits. */
const DEADLINE_MS = 30_000

/**
 * The process that decodes images, one at a time. It starts with the first image and ends after some time without
 * one. A file that makes the decoder crash or hang ends that process alone.
 */
export class Decoder {
  #idle: ChildProcess | undefined
  #idleTimer: NodeJS.Timeout | undefined
  /** Resolves when the last process has ended. */
  #ended: Promise<void> | undefined

  /**
   * Callers wait for each other.
   * @returns null when the process crashed over the file, or had to be ended
   */
  async inspect(bytes: Buffer): Promise<Inspected | null> {
    clearTimeout(this.#idleTimer)
    const child = this.#idle ?? this.#start()
    this.#idle = undefined
    const inspected = await ask(child, bytes)
    if (inspected === null) return null
    this.#idle = child
    this.#idleTimer = setTimeout(() => this.#end(), IDLE_MS).unref()
    return inspected
  }

  /** Ends an idle process. The calling thread must not end before it, since the system would keep its entry. */
  async close(): Promise<void> {
    this.#end()
    await this.#ended
  }

  /**
   * It has the priority of the calling thread, ends with it, when its channel closes, and has none of the settings.
   */
  #start(): ChildProcess {
    const child = fork(FILE, { serialization: 'advanced', env: {}, execArgv: [], stdio: 'ignore' })
    this.#ended = new Promise((resolve) => {
      // The waiting image receives the end; without a listener an error would end the calling thread.
      child.on('error', () => resolve())
      child.once('exit', () => {
        if (this.#idle === child) this.#idle = undefined
        resolve()
      })
    })
    return child
  }

  #end(): void {
    clearTimeout(this.#idleTimer)
    this.#idle?.kill()
    this.#idle = undefined
  }
}

function ask(child: ChildProcess, bytes: Buffer): Promise<Inspected | null> {
  return new Promise((resolve) => {
    const settle = (inspected: Inspected | null) => {
      clearTimeout(timer)
      child.off('message', settle)
      child.off('exit', onEnd)
      child.off('error', onEnd)
      child.unref()
      child.channel?.unref()
      resolve(inspected)
    }
    const onEnd = () => settle(null)
    const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS)
    child.on('message', settle)
    child.on('exit', onEnd)
    child.on('error', onEnd)
    child.ref()
    child.channel?.ref()
    const send = (part: PartOfImage) => child.send(part, (error) => error && onEnd())
    void sendParts(bytes, send)
  })
}

async function sendParts(bytes: Buffer, send: (part: PartOfImage) => void): Promise<void> {
  for await (const part of inParts(bytes)) send(part)
  send('end')
}
