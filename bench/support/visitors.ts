import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { awaitLink } from './program-process.ts'

/** Requests of `warmLinks` at a time. */
const WARMING = 32

export type VisitorsInput = {
  port: number
  /** Visits a second. */
  rate: number
  /** Links `s0`, `s1`, … as `fillLinks` makes them, each visited as often as the others. */
  links: number
  /** Visits on a connection of their own, of all. */
  freshShare: number
}

export type VisitorsQuestion =
  | { kind: 'window' }
  | { kind: 'count'; below: string }
  | { kind: 'stop' }

/** Latencies of the visits that were answered, or failed, since the window before. */
export type Window = { requests: number; p50Ms: number; p99Ms: number; longestMs: number }

export type Answers = {
  sent: number
  /** Of the clicks that were answered with their link's destination, in the order of their answers. */
  ids: string[]
  answeredAtMs: number[]
  /** Numbers of other answers by status, and of failed connections by the code of their error. */
  failures: Record<string, number>
}

export type Visitors = {
  takeWindow(): Promise<Window>
  /** Counts the answered clicks whose ids are less. */
  countBelow(id: string): Promise<number>
  /** Waits for the last answers. */
  stop(): Promise<Answers>
}

/** Visits links at a steady rate on a thread of its own, until it is stopped or the process ends. */
export function visitSteadily(input: Omit<VisitorsInput, 'freshShare'> & { freshShare?: number }) {
  const workerData: VisitorsInput = { freshShare: 0, ...input }
  const worker = new Worker(new URL('visitors-thread.ts', import.meta.url), { workerData })
  // The caller awaits questions, which an error of the thread would leave without an answer.
  worker.once('error', (error) => {
    throw error
  })
  worker.unref()
  const ask = async (question: VisitorsQuestion): Promise<unknown> => {
    const answered = once(worker, 'message')
    worker.postMessage(question)
    const [answer] = await answered
    return answer
  }
  const visitors: Visitors = {
    takeWindow: () => ask({ kind: 'window' }) as Promise<Window>,
    countBelow: (below) => ask({ kind: 'count', below }) as Promise<number>,
    stop: () => ask({ kind: 'stop' }) as Promise<Answers>,
  }
  return visitors
}

/** Visits every link with HEAD, which is no click, until the edge has each in memory. */
export async function warmLinks(port: number, links: number): Promise<void> {
  // A second round is needed: the edge does not keep links that it reads while it begins to follow changes.
  for (let round = 0; round < 2; round++) {
    let next = 0
    const warm = async () => {
      while (next < links) await awaitLink(`http://127.0.0.1:${port}/s${next++}`)
    }
    await Promise.all(Array.from({ length: WARMING }, warm))
  }
}
