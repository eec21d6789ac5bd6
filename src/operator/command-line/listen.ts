import { parseArgs } from 'node:util'
import { request } from 'undici'
import { OperatorError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { sleep } from '../../platform/core/service.ts'
import { readEnvironment } from '../../platform/config/config.ts'
import { deliveryBody, fixedHeaders } from '../../webhooks/delivery/request.ts'
import { mintEndpointSecret, sign, standardHeaders } from '../../webhooks/delivery/signature.ts'
import { say as sayAloud } from './command.ts'

type Event = { id: string; type: string; workspaceId: string; createdAt: string; payload: string }
type Batch = { events: Event[]; cursor: string }
type Receiver = { to: string; secret: string }
type Surroundings = {
  say?: (text: string) => void
  signal?: AbortSignal
  clock?: () => number
}
type Source = { url: string; apiKey: string; events: string | undefined }

const DEFAULT_SERVER = 'http://localhost:3000'
const ANSWER_TIMEOUT_MS = 20_000
const RECEIVER_TIMEOUT_MS = 10_000
const RETRY_AFTER_MS = 2_000
const PERMANENT_ERRORS = new Set([400, 401, 403, 404])
const SHOWN_CHARS = 200
const ENDPOINT_ID = 'whe_listen'

/** If the server is away, its events are forwarded afterwards, because the cursor stays. */
export async function listen(args: string[], surroundings: Surroundings = {}): Promise<void> {
  const { say = sayAloud, clock = Date.now } = surroundings
  const { signal = new AbortController().signal } = surroundings
  const { source, to, secret } = readArguments(args)
  let cursor = (await fetchEvents(source, undefined, signal)).cursor
  say(`Listening to ${source.url}, forwarding ${source.events ?? 'all events'} to ${to}\n`)
  say(`Signing secret: ${secret}\n`)
  while (!signal.aborted) {
    let batch: Batch
    try {
      batch = await fetchEvents(source, cursor, signal)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof OperatorError) throw error
      say(`The server does not answer (${getReason(error)}); retrying.\n`)
      await sleep(RETRY_AFTER_MS, signal)
      continue
    }
    cursor = batch.cursor
    for (const event of batch.events) {
      if (signal.aborted) return
      const outcome = await forward(event, { to, secret }, clock(), signal)
      say(`${event.createdAt} ${event.type} ${event.id} → ${outcome}\n`)
    }
  }
}

function readArguments(args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      to: { type: 'string' },
      events: { type: 'string' },
      url: { type: 'string', default: DEFAULT_SERVER },
      'api-key': { type: 'string' },
      secret: { type: 'string' },
    },
  })
  const apiKey = values['api-key'] ?? readEnvironment()['SIGNPOST_API_KEY']
  if (values.to === undefined)
    throw new OperatorError('listen needs --to URL, for example --to http://localhost:4000/hook.')
  if (!apiKey) throw new OperatorError('listen needs --api-key KEY, or SIGNPOST_API_KEY.')
  const source: Source = {
    url: webUrl('--url', values.url).replace(/\/+$/, ''),
    apiKey,
    events: values.events,
  }
  return { source, to: webUrl('--to', values.to), secret: values.secret ?? mintEndpointSecret() }
}

function webUrl(name: string, text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).href
  throw new OperatorError(`${name} must be a URL that begins with http:// or https://.`)
}

/** @throws OperatorError when the server refuses the request; other errors may be retried */
async function fetchEvents(
  { url, apiKey, events }: Source,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<Batch> {
  const query = new URLSearchParams({ ...(cursor && { cursor }), ...(events && { events }) })
  const answer = await fetch(`${url}/v1/webhooks/listen?${query.toString()}`, {
    headers: { authorization: `Bearer ${apiKey}` },
    signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]),
  }).catch((error: unknown) => {
    if (cursor !== undefined) throw error
    throw new OperatorError(`There is no server at ${url} (${getReason(error)}).`)
  })
  const body = (await answer.json().catch(() => null)) as {
    data?: Batch
    error?: { message: string }
  } | null
  if (body?.data) return body.data
  const message =
    body?.error?.message ??
    `${url} answers ${answer.status} without a Signpost body; is it a Signpost server?`
  if (PERMANENT_ERRORS.has(answer.status) || cursor === undefined) throw new OperatorError(message)
  throw new Error(message)
}

async function forward(event: Event, { to, secret }: Receiver, nowMs: number, signal: AbortSignal) {
  const id = newId('del', nowMs)
  const timestamp = Math.floor(nowMs / 1000)
  const delivery = {
    id,
    eventType: event.type,
    workspaceId: event.workspaceId,
    endpointId: ENDPOINT_ID,
    createdAt: new Date(event.createdAt),
  }
  const body = deliveryBody(delivery, event.payload, 1)
  const startedAt = performance.now()
  try {
    const answer = await request(to, {
      method: 'POST',
      headers: {
        ...fixedHeaders(event.type, event.id),
        'x-service-signature': sign(secret, timestamp, body),
        'x-service-timestamp': String(timestamp),
        ...standardHeaders(secret, id, timestamp, body),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
    })
    const text = await answer.body.text()
    const tookMs = Math.round(performance.now() - startedAt)
    return `${answer.statusCode} in ${tookMs} ms${text === '' ? '' : `: ${oneLine(text)}`}`
  } catch (error) {
    return `no answer (${getReason(error)})`
  }
}

/** Removes control characters, which could affect the terminal. */
function oneLine(text: string): string {
  return text.slice(0, SHOWN_CHARS).replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
}

function getReason(error: unknown): string {
  const cause = (error as { cause?: { code?: string } }).cause
  const { code, name } = error as { code?: string; name?: string }
  return cause?.code ?? (name === 'TimeoutError' ? 'timeout' : code) ?? (error as Error).message
}
