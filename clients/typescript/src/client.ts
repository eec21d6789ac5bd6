import { Call, ListCall, pagesFrom, type Answer, type Options } from './call.ts'
import { followClicks, untilAborted } from './live.ts'
import { OPERATIONS, type Methods } from './methods.gen.ts'
import { send, type Request, type Settings } from './request.ts'
import type { BatchEvent, EventBatch, Meta } from './types.gen.ts'

/** Every operation of the API, by resource. */
export type Client = Methods

/**
 * A client of one server, with one key.
 * @throws TypeError a setting that cannot work
 */
export function createClient(settings: Settings): Client {
  const checked = { ...settings, baseUrl: checkSettings(settings) }
  return methodsOf(OPERATIONS, checked, '') as Client
}

function checkSettings({ baseUrl, apiKey }: Settings): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError(
      `baseUrl must be the address of your Signpost server, such as https://links.example.com; it is ${JSON.stringify(baseUrl)}.`,
    )
  // The message leaves the key out, because errors are logged.
  if (apiKey !== undefined && !/^sp_\w+$/.test(apiKey))
    throw new TypeError(
      'apiKey must be an API key, sp_…; create one in the settings of the dashboard.',
    )
  return url.origin + url.pathname.replace(/(\/v1)?\/*$/, '')
}

type Operations = { readonly [name: string]: string | Operations }

function methodsOf(operations: Operations, settings: Settings, prefix: string): object {
  return Object.fromEntries(
    Object.entries(operations).map(([name, entry]) => [
      name,
      typeof entry === 'string'
        ? methodOf(entry, settings, prefix + name)
        : methodsOf(entry, settings, `${prefix}${name}.`),
    ]),
  )
}

/** A method by its row of the table: method, path and flags. */
function methodOf(row: string, settings: Settings, name: string) {
  const [method = '', path = '', flags = ''] = row.split(' ')
  const has = (flag: string) => flags.includes(flag)
  return (...args: unknown[]): unknown => {
    const toPart = (_: string, part: string) => pathPart(name, part, args.shift())
    const filled = path.replace(/\{(\w+)\}/g, toPart)
    const hasBody = has('b') || has('f')
    const body = hasBody ? args.shift() : undefined
    const ownQuery = has('q') && !hasBody ? args.shift() : undefined
    const options = (args.shift() ?? {}) as Options & { query?: object }
    const request: Request = {
      method,
      path: filled,
      query: { ...options.query, ...(ownQuery as object | undefined) },
      body,
      isForm: has('f'),
      isKeyed: has('k'),
      isFile: has('r') || has('s'),
      options,
    }
    const ask = <Data>(changes: Partial<Request> = {}) =>
      send<Data>(settings, { ...request, ...changes })
    if (has('s')) return follow(ask, request)
    if (has('e')) return listen(ask, request)
    if (has('l')) return list(ask, request)
    return new Call(ask())
  }
}

type Ask = <Data>(changes?: Partial<Request>) => Promise<Answer<Data>>

function list(ask: Ask, { query }: Request) {
  return new ListCall<unknown>(ask(), (first) =>
    pagesFrom(first, (next) => ask({ query: { ...query, offset: undefined, ...next } })),
  )
}

function listen(ask: Ask, { query, options }: Request) {
  return new ListCall<BatchEvent, Meta, EventBatch>(ask<EventBatch>(), async function* (first) {
    let batch = (await first).data
    for (;;) {
      yield* batch.events
      const { cursor } = batch
      const next = untilAborted(async function* () {
        yield (await ask<EventBatch>({ query: { ...query, cursor } })).data
      }, options.signal)
      for await (const answered of next) batch = answered
    }
  })
}

function follow(ask: Ask, { query, options }: Request) {
  const open = async (added: Record<string, string>) => {
    const headers = { ...options.headers, ...added }
    return (await ask<Response>({ options: { ...options, headers } })).data
  }
  return followClicks(open, options.signal, query?.['maxSeconds'] === undefined)
}

/** An empty part, or one of dots, would be the path of another operation. */
function pathPart(name: string, part: string, value: unknown): string {
  if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) return encodeURIComponent(value)
  throw new TypeError(`${name} needs ${part}, a text that is not empty; it is ${String(value)}.`)
}
