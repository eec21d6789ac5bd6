import { Worker } from 'node:worker_threads'

/** One argon2id hash to make: `memory` in KiB, `tagLength` in bytes. */
export type Hashing = {
  password: string
  salt: Uint8Array
  tagLength: number
  memory: number
  passes: number
  parallelism: number
}

type Thread = { worker: Worker; idleTimer: NodeJS.Timeout | undefined }

/** An idle thread holds some 10 MB, and a new one takes as long as a hash. */
const IDLE_MS = 30_000

/**
 * Makes hashes on threads of a low priority, so that redirects do not wait for those who sign in:
 * the pool that Node hashes on has the priority of the event loop, and takes its core. There are as
 * many threads as hashes were asked for at once, and none when nobody signs in.
 */
export function createHashing(idleMs = IDLE_MS) {
  const idle: Thread[] = []

  /** @throws Error when it cannot be made, such as for want of memory */
  return async function hash(hashing: Hashing): Promise<Buffer> {
    const thread = idle.pop() ?? start()
    clearTimeout(thread.idleTimer)
    const made = await answerOf(thread.worker, hashing)
    thread.idleTimer = setTimeout(end, idleMs, thread).unref()
    idle.push(thread)
    return made
  }

  function start(): Thread {
    const worker = new Worker(new URL('./hashing-thread.ts', import.meta.url))
    const thread: Thread = { worker, idleTimer: undefined }
    // Whoever waits for a hash hears of a failure; without a listener it would end the program.
    worker.on('error', () => {})
    worker.on('exit', () => leave(thread))
    return thread
  }

  /** First out of the list: ending takes a while, and no new hash must be asked of it. */
  function end(thread: Thread): void {
    leave(thread)
    void thread.worker.terminate()
  }

  function leave(thread: Thread): void {
    const place = idle.indexOf(thread)
    if (place !== -1) idle.splice(place, 1)
  }
}

function answerOf(worker: Worker, hashing: Hashing): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const settle = (work: () => void) => {
      worker.off('message', onMessage)
      worker.off('error', onError)
      worker.off('exit', onExit)
      worker.unref()
      work()
    }
    const onMessage = (tag: Uint8Array) => settle(() => resolve(Buffer.from(tag)))
    const onError = (error: unknown) => settle(() => reject(error as Error))
    const onExit = () => settle(() => reject(new Error('a hashing thread has ended')))
    worker.on('message', onMessage)
    worker.on('error', onError)
    worker.on('exit', onExit)
    worker.ref()
    // A copy of its own: a view would take along the pool of memory it lies in.
    worker.postMessage({ ...hashing, salt: Uint8Array.from(hashing.salt) })
  })
}
