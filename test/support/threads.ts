import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { TestContext } from 'node:test'
import type { Worker } from 'node:worker_threads'

/** The threads of a name that this process starts from now on. */
export function noteThreads(t: TestContext, name: string): Worker[] {
  const threads: Worker[] = []
  const note = (message: unknown) => {
    const { worker } = message as { worker: Worker }
    if (worker.threadName === name) threads.push(worker)
  }
  subscribe('worker_threads', note)
  t.after(() => unsubscribe('worker_threads', note))
  return threads
}
