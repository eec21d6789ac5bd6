import type { BatchEvent, ClickReceivedEvent, EventBatch, Meta } from './types.gen.ts'

/** What can be set for a single call. */
export type Options = {
  /** Ends the call, its retries included, or an iteration. */
  signal?: AbortSignal
  /** How long to wait for each attempt: 30 seconds by default. */
  timeoutMs?: number
  /** How often a failed call is sent again, where that is safe: 2 by default. */
  maxRetries?: number
  /** Of all requests with one key a single one has an effect. Without it, each call has a key of its own. */
  idempotencyKey?: string
  /** The `etag` of an answer: the change is refused (PreconditionFailedError) if that is not the current version. */
  ifMatch?: string
  /** Further headers of the request. */
  headers?: Record<string, string>
}

export type Answer<Data, M = Meta> = {
  data: Data
  meta: M
  /** The version of the resource, for `ifMatch`. */
  etag: string | null
  /** Status and headers. */
  response: Response
}

/** A request under way. Await it for its data, or `answer()` for the data with what came with it. */
export class Call<Data, M = Meta> implements Promise<Data> {
  readonly #answer: Promise<Answer<Data, M>>
  readonly [Symbol.toStringTag] = 'Call'

  constructor(answer: Promise<Answer<Data, M>>) {
    this.#answer = answer
  }

  answer(): Promise<Answer<Data, M>> {
    return this.#answer
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is awaited
  then<A = Data, B = never>(
    onData?: ((data: Data) => A | PromiseLike<A>) | null,
    onError?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#answer.then(({ data }) => data).then(onData, onError)
  }

  catch<B = never>(onError?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Data | B> {
    return this.then(undefined, onError)
  }

  finally(onEnd?: (() => void) | null): Promise<Data> {
    return this.then().finally(onEnd)
  }
}

/** A list. Await it for one page, or iterate over it for every row of every page. */
export class ListCall<Row, M = Meta, Data = Row[]> extends Call<Data, M> {
  readonly #rows: () => AsyncGenerator<Row, void>

  constructor(
    answer: Promise<Answer<Data, M>>,
    rows: (first: Promise<Answer<Data, M>>) => AsyncGenerator<Row, void>,
  ) {
    super(answer)
    this.#rows = () => rows(answer)
  }

  [Symbol.asyncIterator](): AsyncGenerator<Row, void> {
    return this.#rows()
  }
}

/** New events. Await it for those that are there, or iterate over it for all that will come. */
export type FeedCall = ListCall<BatchEvent, Meta, EventBatch>

/** A click, or how many were left out because too many came at once (null: unknown). */
export type LiveEvent =
  | { type: 'click'; id: string; data: ClickReceivedEvent['data'] }
  | { type: 'skipped'; data: { clicks: number | null } }

type PageMeta = {
  limit?: number
  offset?: number
  total?: number
  totalIsExact?: boolean
  nextCursor?: string | null
}

/** The rows of all pages, by cursor where the list has one. */
export async function* pagesFrom<Row, M>(
  first: Promise<Answer<Row[], M>>,
  ask: (query: { cursor: string } | { offset: number }) => Promise<Answer<Row[], M>>,
): AsyncGenerator<Row, void> {
  let { data, meta } = await first
  for (;;) {
    yield* data
    const { limit = 0, offset = 0, total, totalIsExact = true, nextCursor } = meta as PageMeta
    if (nextCursor === null || data.length < limit || data.length === 0) return
    const end = offset + data.length
    if (nextCursor === undefined && totalIsExact && total !== undefined && end >= total) return
    ;({ data, meta } = await ask(
      nextCursor === undefined ? { offset: end } : { cursor: nextCursor },
    ))
  }
}
