import { createHmac, randomBytes } from 'node:crypto'
import { plain, textOption, UserError, type Command, type Io } from './command.ts'

const RECEIVER_TIMEOUT_MS = 10_000
const SHOWN_CHARS = 200

type Event = { id: string; type: string; workspaceId: string; createdAt: string; payload: string }

/** Deliveries as the server would send them, so that a receiver needs no public address. */
export const listen: Command = {
  summary: 'forward webhook events to a URL of this machine, until Ctrl-C',
  options: {
    forward: { type: 'string', value: 'URL', about: 'the receiver: http://localhost:4000/hook' },
    events: { type: 'string', value: 'A,B', about: 'only these types' },
    secret: { type: 'string', value: 'SECRET', about: 'sign with this secret' },
  },
  async run(io, given, client) {
    const to = textOption(given, 'forward')
    if (to === undefined || !URL.canParse(to) || !/^https?:/.test(to))
      throw new UserError('webhooks listen needs --forward URL: http://localhost:4000/hook.')
    const events = textOption(given, 'events')
    const secret = textOption(given, 'secret') ?? `whsec_${randomBytes(32).toString('base64url')}`
    const query = events === undefined ? {} : { events }
    const feed = client().webhooks.listen(query, { signal: io.signal })
    await feed
    io.note(`Forwarding ${events ?? 'all events'} to ${to}\nSigning secret: ${secret}`)
    for await (const event of feed) {
      const outcome = await forward(io, event, to, secret)
      io.write(
        given.options['json'] === true
          ? JSON.stringify({ ...event, ...outcome })
          : `${event.createdAt} ${event.type} ${event.id} → ${describe(outcome)}`,
      )
    }
  },
}

type Outcome = { status: number | null; tookMs: number; answer: string }

function describe({ status, tookMs, answer }: Outcome): string {
  const shown = plain(answer.slice(0, SHOWN_CHARS))
  return status === null ? `no answer (${shown})` : `${status} in ${tookMs} ms ${shown}`.trimEnd()
}

async function forward(io: Io, event: Event, to: string, secret: string): Promise<Outcome> {
  const startedAt = performance.now()
  const tookMs = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(to, {
      method: 'POST',
      redirect: 'manual',
      ...deliveryOf(event, secret),
      signal: AbortSignal.any([io.signal, AbortSignal.timeout(RECEIVER_TIMEOUT_MS)]),
    })
    const answer = await response.text()
    return { status: response.status, tookMs: tookMs(), answer }
  } catch (error) {
    io.signal.throwIfAborted()
    const { cause, message } = error as Error & { cause?: { code?: string } }
    return { status: null, tookMs: tookMs(), answer: cause?.code ?? message }
  }
}

/** The payload is inserted as it was stored, byte for byte. */
function deliveryOf({ id: eventId, type, workspaceId, createdAt, payload }: Event, secret: string) {
  const id = `del_${randomBytes(16).toString('hex')}`
  const head = { id, type, workspaceId, endpointId: 'whe_listen', attempt: 1, createdAt }
  const body = `${JSON.stringify(head).slice(0, -1)},"data":${payload}}`
  const timestamp = Math.floor(Date.now() / 1000)
  const hmac = (text: string) => createHmac('sha256', secret).update(text + body)
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Service-Webhooks/1.0',
      'x-service-event': type,
      'x-service-event-id': eventId,
      'x-service-timestamp': String(timestamp),
      'x-service-signature': `t=${timestamp},v1=${hmac(`t.${timestamp}.`).digest('hex')}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${hmac(`${id}.${timestamp}.`).digest('base64')}`,
    },
  }
}
