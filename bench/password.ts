import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecrets } from '../src/platform/core/secrets.ts'
import { createUnlockCookies } from '../src/redirect/links/unlock.ts'
import { createLinkPasswordHashing } from '../src/platform/work/password-hashing.ts'
import { startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { sendLoad, type Measured } from './support/keep-alive.ts'
import { fillLinks } from './support/links.ts'
import { readOptions } from './support/options.ts'
import { readTreeCpu } from './support/process-tree.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures links with a password: redirects of a browser that holds the cookie, beside a bare
 * `node:http` that sends a fixed 302; and the p99 of redirects of other links beside two hundred parallel
 * guesses, by the p99 without them. Every round runs both sides in turn; the figure is the median of the
 * rounds' ratios.
 *
 *   node bench/password.ts [--rounds 5] [--seconds 4] [--connections 64] [--guesses 200] [--links 40]
 *   [--only unlocked|guesses]
 */
const { rounds, seconds, connections, guesses, links, only } = readOptions(
  { rounds: 5, seconds: 4, connections: 64, guesses: 200, links: 40 },
  { only: '' },
)
/** As in support/redirect-server.ts. */
const SECRETS = createSecrets('the secret key of a benchmark')
const PASSWORD = 'quiet harbour lamp'

type Side = { run: Measured; cpuMicros: number }

await using stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'signpost-bench-'))
stack.defer(() => rmSync(folder, { recursive: true, force: true }))
if (only !== 'guesses') await compareUnlocked()
if (only !== 'unlocked') await compareGuesses()

async function compareUnlocked(): Promise<void> {
  await using own = new AsyncDisposableStack()
  const databases = own.use(await openDatabases())
  await fillLinks(databases.sql, { plain: 1 })
  const passwordHash = await createLinkPasswordHashing(SECRETS, 'hashes').hash(PASSWORD)
  await databases.sql`update links set password_hash = ${passwordHash}`
  const lock = { linkId: 'lnk_0', passwordHash }
  const { toCookie } = createUnlockCookies(SECRETS, Date.now)
  const [cookie] = toCookie(lock, '/s0', false).split(';')
  const sides = new Map<string, { port: number; pid: number; results: Side[] }>()
  for (const args of [['bare'], ['edge', databases.url, '1', join(folder, 'edge')]]) {
    const { line, child } = await startScript('redirect-server.ts', args)
    own.defer(async () => void (await stopScript(child)))
    sides.set(args[0]!, { port: Number(line), pid: child.pid!, results: [] })
  }
  const request = `GET /s0 HTTP/1.1\r\nHost: localhost\r\nUser-Agent: bench\r\nCookie: ${cookie}\r\n\r\n`
  for (let round = 0; round <= rounds; round++)
    for (const { port, pid, results } of round % 2
      ? [...sides.values()].toReversed()
      : sides.values()) {
      const before = readTreeCpu(pid)
      const run = await sendLoad({ port, connections, seconds, request, expected: 'HTTP/1.1 302' })
      const after = readTreeCpu(pid)
      const usedMicros = after.own + after.descendants - before.own - before.descendants
      // The first round warms up.
      if (round > 0 || run.failures > 0) results.push({ run, cpuMicros: usedMicros / run.requests })
    }
  const [bare, edge] = [sides.get('bare')!.results, sides.get('edge')!.results]
  const failures = [...bare, ...edge].reduce((sum, { run }) => sum + run.failures, 0)
  if (!isSound('unlocked', failures)) return
  console.log(`unlocked: ${connections} connections, ${rounds} rounds of ${seconds} s`)
  const ratios = edge.map(({ run }, i) => run.perSecond / bare[i]!.run.perSecond)
  const cpu = edge.map(({ cpuMicros }, i) => bare[i]!.cpuMicros / cpuMicros)
  const perSecond = median(edge.map(({ run }) => run.perSecond)).toFixed(0)
  console.log(`  ${perSecond}/s, ratio to bare ${spread(ratios)}, by CPU ${spread(cpu)}`)
}

async function compareGuesses(): Promise<void> {
  // The guesser names its networks itself.
  const settings = { RATE_LIMIT_AUTH: '1000000000', TRUSTED_PROXIES: '1' }
  await using program = await startProgram({ settings, isPinned: true })
  const { origin, port } = program
  const [apiKey = ''] = program.keys
  await createLink(origin, apiKey, { slug: 'bench' })
  await awaitLink(`${origin}/bench`)
  for (let i = 0; i < links; i++) {
    await createLink(origin, apiKey, { slug: `locked-${i}`, password: PASSWORD })
    await awaitLink(`${origin}/locked-${i}`, 401)
  }
  const follow = () =>
    sendLoad({
      port,
      connections: 8,
      seconds,
      request: 'GET /bench HTTP/1.1\r\nHost: localhost\r\n\r\n',
      expected: 'HTTP/1.1 302',
    })
  const pairs: { alone: Measured; beside: Measured }[] = []
  const counted = { compared: 0, refused: 0 }
  for (let round = 0; round <= rounds; round++) {
    const alone = await follow()
    const args = [origin, String(guesses), String(links)]
    const guesser = await startScript('guesser.ts', args, { isPinned: false })
    const beside = await follow()
    const [compared, refused] = (await stopScript(guesser.child)).split(' ').map(Number)
    if (round === 0 && alone.failures + beside.failures === 0) continue
    pairs.push({ alone, beside })
    counted.compared += compared!
    counted.refused += refused!
  }
  const failures = pairs.reduce((sum, pair) => sum + pair.alone.failures + pair.beside.failures, 0)
  if (!isSound('redirects beside guesses', failures)) return
  const ratios = pairs.map(({ alone, beside }) => beside.p99Ms / alone.p99Ms)
  console.log(`redirects beside ${guesses} guesses at a time: p99 × ${spread(ratios)}`)
  console.log(`  ${counted.compared} guesses were compared, ${counted.refused} refused`)
}

async function createLink(origin: string, apiKey: string, fields: object): Promise<void> {
  const { status } = await fetch(`${origin}/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'b', destinationUrl: 'https://example.com/', ...fields }),
  })
  if (status !== 201) throw new Error(`a link answers ${status}`)
}
