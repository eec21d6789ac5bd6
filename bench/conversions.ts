import { eventually } from '../test/support/eventually.ts'
import { isSound, median, spread } from './support/figures.ts'
import { sendLoad, type Measured } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures `POST /conversions`, each with an id of its own and the signed id of a stored click, in turns with
 * `POST /links`, in one workspace of one process: as many as they can on several connections, and 100 in a
 * second. The rate limit of conversions is raised.
 *
 *   node bench/conversions.ts [--rounds 5] [--seconds 4] [--connections 32] [--clicks 100]
 *
 * It prints no figure and ends with 1 when a single request fails or a conversion is not attributed.
 */
const { rounds, seconds, connections, clicks } = readOptions({
  rounds: 5,
  seconds: 4,
  connections: 32,
  clicks: 100,
})
/** One request on each connection in this time is 100 in a second. */
const PACED = { connections: 10, everyMs: 100 }

await using program = await startProgram({
  script: 'write-server.ts',
  settings: { RATE_LIMIT_INGESTION: '100000000' },
})
const { port, origin, keys } = program
const spIds = await makeClicks()
let serial = 0

const contenders = {
  conversion: () => {
    serial++
    const clickId = spIds[serial % spIds.length]!
    const sale = { eventId: `order-${serial}`, eventName: 'Purchase', value: 4_900, clickId }
    return toRequest('/v1/conversions', { ...sale, customerId: `customer-${serial % 1_000}` })
  },
  link: () =>
    toRequest('/v1/links', { name: 'Spring sale', destinationUrl: 'https://example.com/spring' }),
}
type Name = keyof typeof contenders
const EXPECTED: Record<Name, string> = { conversion: 'HTTP/1.1 202', link: 'HTTP/1.1 201' }

const rates: Record<Name, Measured[]> = { conversion: [], link: [] }
const paces: Record<Name, Measured[]> = { conversion: [], link: [] }
let failures = 0
for (let round = 0; round <= rounds; round++)
  for (const name of ['conversion', 'link'] as const) {
    const rate = await measure(name, { connections })
    const pace = await measure(name, PACED)
    failures += rate.failures + pace.failures
    // The first round warms up.
    if (round === 0) continue
    rates[name].push(rate)
    paces[name].push(pace)
  }
const waiting = await countNotAttributed()
if (isSound('conversions and links', failures + waiting)) report()

function measure(name: Name, load: { connections: number; everyMs?: number }): Promise<Measured> {
  return sendLoad({
    port,
    seconds,
    ...load,
    request: contenders[name],
    expected: EXPECTED[name],
  })
}

function report(): void {
  const ratios = rates.conversion.map((run, i) => run.perSecond / rates.link[i]!.perSecond)
  const perSecond = (name: Name) => median(rates[name].map((run) => run.perSecond)).toFixed(0)
  console.log(
    `${perSecond('conversion')}/s conversions, ${perSecond('link')}/s links: rate × ${spread(ratios)}`,
  )
  const p99 = (name: Name) => median(paces[name].map(({ p99Ms }) => p99Ms))
  const slower = paces.conversion.map((run, i) => run.p99Ms / paces.link[i]!.p99Ms)
  console.log(
    `at 100/s: p99 of a conversion ${p99('conversion').toFixed(1)} ms, of a link ${p99('link').toFixed(1)} ms, × ${spread(slower)}`,
  )
}

/** Visits a link, and waits until its clicks are stored: their signed ids. */
async function makeClicks(): Promise<string[]> {
  const slug = 'bench-conversions'
  const destinationUrl = 'https://example.com/'
  await call('POST', '/links', { name: 'Shop', slug, destinationUrl, trackConversions: true })
  await awaitLink(`${origin}/${slug}`)
  const ids: string[] = []
  for (let i = 0; i < clicks; i++) {
    const { headers } = await fetch(`${origin}/${slug}`, { redirect: 'manual' })
    ids.push(new URL(headers.get('location')!).searchParams.get('sp_id')!)
  }
  await eventually(async () => {
    const { data } = await call('GET', '/analytics/overview')
    if (data.totalClicks < clicks) throw new Error(`${data.totalClicks} clicks are stored`)
  })
  return ids
}

/** Conversions without a link: each names a click that is stored. */
async function countNotAttributed(): Promise<number> {
  const { meta } = await call('GET', '/analytics/conversions?limit=1')
  const [total] = meta.totals
  return total.conversions - total.attributed
}

type Total = { conversions: number; attributed: number }
type Envelope = { data: { totalClicks: number }; meta: { totals: [Total] } }

async function call(method: string, path: string, body?: object): Promise<Envelope> {
  const response = await fetch(`${origin}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${method} ${path} answers ${response.status}`)
  return (await response.json()) as Envelope
}

function toRequest(path: string, body: object): string {
  const text = JSON.stringify(body)
  return `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys[0]}\r\nContent-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n${text}`
}
