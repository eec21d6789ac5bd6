import { startScript, stopScript } from './support/child-process.ts'
import { openDatabases } from './support/databases.ts'
import { isSound, median, spread } from './support/figures.ts'
import { sendLoad, type Measured } from './support/keep-alive.ts'
import { fillLinks } from './support/links.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, startProgram } from './support/program-process.ts'

/**
 * Measures the cost of a credential, beside the same row behind the same gateway without one; and the
 * cost of two hundred parallel guesses of a password for redirects, beside none. Every round runs
 * both of a pair, in turn; the figure is the median of the rounds' ratios.
 *
 *   node bench/auth.ts [--rounds 7] [--seconds 3] [--connections 32] [--guesses 200]
 *   [--only credentials|guesses]
 */
const { rounds, seconds, connections, guesses, only } = readOptions(
  { rounds: 7, seconds: 3, connections: 32, guesses: 200 },
  { only: '' },
)

if (only !== 'guesses') await compareCredentials()
if (only !== 'credentials') await compareGuesses()

async function compareCredentials(): Promise<void> {
  await using own = new AsyncDisposableStack()
  const databases = own.use(await openDatabases())
  await fillLinks(databases.sql, { plain: 1 })
  const { line, child } = await startScript('auth-server.ts', [databases.url])
  own.defer(async () => void (await stopScript(child)))
  const [open, real] = line.split(' ').map(Number) as [number, number]
  for (const path of ['/v1/memory', '/v1/database'])
    await compareOn(path, (isReal, header) =>
      sendLoad({
        port: isReal ? real : open,
        connections,
        seconds,
        request: `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${header}\r\n`,
        expected: 'HTTP/1.1 200',
      }),
    )
}

async function compareOn(
  path: string,
  ask: (isReal: boolean, header: string) => Promise<Measured>,
): Promise<void> {
  const contenders = [
    { name: 'no credential', ask: () => ask(false, '') },
    { name: 'API key', ask: () => ask(true, 'Authorization: Bearer key\r\n') },
    { name: 'session', ask: () => ask(true, 'Cookie: signpost_session=session\r\n') },
  ]
  const results = new Map<string, Measured[]>(contenders.map(({ name }) => [name, []]))
  for (let round = 0; round <= rounds; round++)
    // The first round warms up; the order turns so that each contender is first equally often.
    for (const [i] of contenders.entries()) {
      const one = contenders[(i + round) % contenders.length]!
      const asked = await one.ask()
      if (round > 0) results.get(one.name)!.push(asked)
    }
  console.log(`GET ${path}, ${connections} connections, ${rounds} rounds of ${seconds} s`)
  const base = results.get('no credential')!
  for (const [name, runs] of results) print(name, runs, base)
}

/** Follows links with and without guesses under way, each of another account. */
async function compareGuesses(): Promise<void> {
  const settings = { RATE_LIMIT_AUTH: '1000000000' }
  await using program = await startProgram({ settings, isPinned: true })
  const { origin, port } = program
  const made = await fetch(`${origin}/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.keys[0]}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'b', slug: 'bench', destinationUrl: 'https://example.com/' }),
  })
  if (made.status !== 201) throw new Error(`a link answers ${made.status}`)
  await awaitLink(`${origin}/bench`)
  const follow = () =>
    sendLoad({
      port,
      connections: 8,
      seconds,
      request: 'GET /bench HTTP/1.1\r\nHost: localhost\r\n\r\n',
      expected: 'HTTP/1.1 302',
    })
  const [quiet, guessed]: [Measured[], Measured[]] = [[], []]
  let [compared, refused] = [0, 0]
  for (let round = 0; round <= rounds; round++) {
    const alone = await follow()
    const guessing = await startGuessing(origin)
    const beside = await follow()
    const [comparedNow, refusedNow] = await guessing.stop()
    if (round === 0) continue
    quiet.push(alone)
    guessed.push(beside)
    compared += comparedNow
    refused += refusedNow
  }
  console.log(`Redirects beside ${guesses} guesses at a time, ${rounds} rounds of ${seconds} s`)
  print('no guesses', quiet, quiet)
  print('guesses', guessed, quiet)
  const p99s = guessed.map((run, i) => run.p99Ms / quiet[i]!.p99Ms)
  console.log(`p99 is ${spread(p99s)} times that without`)
  console.log(`${compared} guesses were compared, ${refused} refused`)
}

/** Guesses from a process of its own, so that what is measured here does not wait for it. */
async function startGuessing(origin: string) {
  const { child } = await startScript('guesser.ts', [origin, String(guesses)], { isPinned: false })
  return {
    stop: async () => (await stopScript(child)).split(' ').map(Number) as [number, number],
  }
}

function print(name: string, runs: readonly Measured[], base: readonly Measured[]): void {
  const failures = [...runs, ...base].reduce((sum, run) => sum + run.failures, 0)
  if (!isSound(name, failures)) return
  console.log(
    [
      name.padEnd(14),
      `${median(runs.map((run) => run.perSecond)).toFixed(0)}/s`.padStart(9),
      `ratio ${spread(runs.map((run, i) => run.perSecond / base[i]!.perSecond))}`,
      `p50 ${median(runs.map((run) => run.p50Ms)).toFixed(2)} ms`,
      `p99 ${median(runs.map((run) => run.p99Ms)).toFixed(2)} ms`,
    ].join('  '),
  )
}
