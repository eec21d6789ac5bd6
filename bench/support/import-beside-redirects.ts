import { setTimeout as sleep } from 'node:timers/promises'
import { isSound, median, spread } from './figures.ts'
import { sendLoad, sendLoadDuring, type Measured } from './keep-alive.ts'
import { awaitLink, startProgram } from './program-process.ts'

type Options = { rounds: number; seconds: number; imported: number; visited: number }
type Server = { port: number; key: string; visited: number }
type Import = { status: string; created: number }
type Beside = { measured: Measured; tookSeconds: number; missing: number }

const CONNECTIONS = 8
const EVERY_MS = 8
const POLL_MS = 100

/**
 * Compares redirects at a steady rate beside an import, from its request until it is completed, with the
 * same without it, in pairs. The figure is the median over the pairs of the p99 beside the import by the
 * p99 without it.
 * @param options `seconds` without the import; one pair for each of `rounds`, the imports of `imported` rows;
 *   the number of links that are `visited`
 */
export async function measureImport(options: Options): Promise<void> {
  const { rounds, seconds, imported, visited } = options
  await using program = await startProgram({ script: 'write-server.ts' })
  const server = { port: program.port, key: program.keys[0]!, visited }
  await createLinks(server)
  // The first pair warms up.
  await visit(server, Math.min(1, seconds))
  await visitBesideImport(server, 'warm-up', Math.min(1_000, imported), seconds)
  const pairs: { alone: Measured; beside: Beside }[] = []
  for (let round = 0; round < rounds; round++) {
    const alone = await visit(server, seconds)
    pairs.push({ alone, beside: await visitBesideImport(server, `round-${round}`, imported, 0) })
  }
  const failures = pairs.reduce(
    (sum, { alone, beside }) => sum + alone.failures + beside.measured.failures + beside.missing,
    0,
  )
  if (!isSound('redirects beside an import', failures)) return
  const before = pairs.map(({ alone }) => alone.p99Ms)
  const after = pairs.map(({ beside }) => beside.measured.p99Ms)
  const took = pairs.map(({ beside }) => beside.tookSeconds)
  console.log(
    `redirects beside an import of ${imported} rows, which took ${median(took).toFixed(1)} s: p99 × ${spread(
      after.map((p99Ms, i) => p99Ms / before[i]!),
    )}, ${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms, at ${median(
      pairs.map(({ beside }) => beside.measured.perSecond),
    ).toFixed(0)}/s`,
  )
}

function visit(server: Server, seconds: number): Promise<Measured> {
  return sendLoad({ ...toLoad(server), seconds })
}

/** Visits until the import is completed, for so many seconds at least. */
async function visitBesideImport(
  server: Server,
  name: string,
  rows: number,
  minSeconds: number,
): Promise<Beside> {
  const { measured, result } = await sendLoadDuring(toLoad(server), async () => {
    const [imported] = await Promise.all([
      importRows(server, name, rows),
      sleep(minSeconds * 1_000),
    ])
    return imported
  })
  return { measured, ...result }
}

function toLoad({ port, visited }: Server) {
  return {
    ...{ port, connections: CONNECTIONS, everyMs: EVERY_MS },
    request: () =>
      `GET /s${Math.floor(Math.random() * visited)} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    expected: 'HTTP/1.1 302',
  }
}

async function importRows(server: Server, name: string, rows: number) {
  const lines = Array.from(
    { length: rows },
    (_, i) =>
      `Offer ${i},https://example.com/${name}/${i}?sale=1,${name}-${i},"spring,tag-${i % 9}"`,
  )
  const csv = ['name,destinationUrl,slug,tags', ...lines].join('\n')
  const startedAtMs = performance.now()
  const { id } = await call<{ id: string }>(server, '/v1/links/import', 'text/csv', csv)
  for (;;) {
    await sleep(POLL_MS)
    const found = await call<Import>(server, `/v1/links/imports/${id}`)
    if (found.status === 'pending' || found.status === 'processing') continue
    const tookSeconds = (performance.now() - startedAtMs) / 1_000
    return { tookSeconds, missing: rows - found.created }
  }
}

async function createLinks(server: Server): Promise<void> {
  const links = Array.from({ length: server.visited }, (_, i) => ({
    name: `Link ${i}`,
    slug: `s${i}`,
    destinationUrl: `https://example.com/${i}`,
  }))
  const created = await call<{ error: unknown }[]>(
    server,
    '/v1/links/bulk',
    'application/json',
    JSON.stringify({ links }),
  )
  if (created.some(({ error }) => error)) throw new Error('a link was not created')
  for (const { slug } of links) await awaitLink(`http://127.0.0.1:${server.port}/${slug}`)
}

async function call<T>({ port, key }: Server, path: string, type?: string, body?: string) {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    headers: { authorization: `Bearer ${key}`, ...(type && { 'content-type': type }) },
    ...(body !== undefined && { method: 'POST', body }),
  })
  if (!response.ok) throw new Error(`${path} answers ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { data: T }).data
}
