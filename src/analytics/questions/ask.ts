import type { Principal } from '../../platform/routes/principal.ts'
import {
  readQuestion,
  type QuestionDeps,
  type Question,
  type QuestionQuery,
  type Subject,
} from './question.ts'
import type { ClickReader, Read } from './reader.ts'

export type AnalyticsDeps = QuestionDeps & {
  /** The short URL of a slug; `hostname` is its domain's, null for the shared host. */
  toShortUrl: (hostname: string | null, slug: string) => string
  reader: ClickReader
  answers: SharedAnswers
}

type Request<Query> = {
  /** Name of the answer. Requests with the same name, subject and query share one answer. */
  name: string
  subject?: Subject
  query: Query
  signal: AbortSignal | undefined
}

/**
 * Resolves a query and reads its numbers. Equal requests within a second share one read, and with it the question.
 * @throws ApiError VALIDATION_ERROR for a wrong period or filter; RATE_LIMITED beyond the bounds of user and
 *   workspace; UNAVAILABLE when the clicks take too long to count
 */
export async function ask<Query extends QuestionQuery, T extends object>(
  deps: AnalyticsDeps,
  principal: Principal,
  { name, subject = {}, query, signal }: Request<Query>,
  work: (read: Read, question: Question) => Promise<T>,
): Promise<T & { question: Question }> {
  const question = await readQuestion(deps, principal, subject, query, signal)
  const key = JSON.stringify([name, principal.workspaceId, subject, query])
  return deps.answers.share(key, signal, (stop) =>
    deps.reader.run(principal, stop, async (read) => ({
      ...(await work(read, question)),
      question,
    })),
  )
}

type Entry<T> = { answer: Promise<T>; stop: AbortController; waiting: number; askedAtMs: number }

/** Shorter than the time after which a click becomes visible. */
const KEPT_MS = 1_000
const MAX_ENTRIES = 1_000

/** One read for equal keys within a second. It ends when no request waits for it any more. Keys name the workspace. */
export class SharedAnswers {
  readonly #entries = new Map<string, Entry<unknown>>()

  /** @param work rejects when its signal is aborted */
  async share<T>(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const known = this.#entries.get(key) as Entry<T> | undefined
    const isFresh =
      known && known.askedAtMs > performance.now() - KEPT_MS && !known.stop.signal.aborted
    const entry = isFresh ? known : this.#start(key, work)
    entry.waiting++
    const leave = () => {
      if (--entry.waiting === 0) entry.stop.abort()
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await entry.answer
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }

  #start<T>(key: string, work: (signal: AbortSignal) => Promise<T>): Entry<T> {
    const stop = new AbortController()
    const entry = { answer: work(stop.signal), stop, waiting: 0, askedAtMs: performance.now() }
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    // A failure is not kept.
    entry.answer.catch(() => this.#entries.get(key) === entry && this.#entries.delete(key))
    if (this.#entries.size > MAX_ENTRIES) {
      const [oldest] = this.#entries.keys()
      this.#entries.delete(oldest!)
    }
    return entry
  }
}
