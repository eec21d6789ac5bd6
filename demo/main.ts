import { parseArgs } from 'node:util'
import { createInterface } from 'node:readline'
import { OperatorError } from '../src/platform/core/errors.ts'
import { openLog } from '../src/platform/core/log.ts'
import { openDemo } from './demo.ts'

const HELP = `Usage: npm run demo [-- --clicks=1200]

Starts Signpost with a workspace to look at, on port 3000 or PORT. --clicks is the number of clicks of an
average day. Ctrl-C ends the demo and deletes its data.
`
/** An orderly close takes a few seconds. */
const CLOSE_DEADLINE_MS = 45_000

const stop = new AbortController()
const say = (line: string) => process.stderr.write(`${line}\n`)

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => {
    if (stop.signal.aborted) return
    say('Ending the demo, and deleting its data …')
    setTimeout(() => process.exit(1), CLOSE_DEADLINE_MS).unref()
    stop.abort(new Error(name))
  })

try {
  const { clicksPerDay, isHelp } = readArguments()
  if (isHelp) process.stdout.write(HELP)
  else await serve(clicksPerDay)
} catch (error) {
  if (!stop.signal.aborted) {
    if (!(error instanceof OperatorError)) throw error
    say(`signpost: ${error.message}`)
    process.exitCode = 1
  }
}

async function serve(clicksPerDay: number | undefined): Promise<void> {
  const { signal } = stop
  await using demo = await openDemo({
    port: process.env['PORT'] || '3000',
    log: openLog('error'),
    signal,
    say,
    ...(clicksPerDay !== undefined && { clicksPerDay }),
  })
  say(`
The demo is ready: 60 days of a shop, with ${demo.clicks.toLocaleString('en')} clicks.
This link signs you in, once:

  ${demo.newSignInLink()}

${process.stdin.isTTY ? 'Press Enter for another link, Ctrl-C to end the demo and to delete its data.' : 'A signal ends the demo and deletes its data.'}
`)
  using _lines = answerEnter(() => say(`  ${demo.newSignInLink()}\n`))
  await demo.run()
}

/** Only at a terminal: the input of a service is no request. */
function answerEnter(answer: () => void): Disposable {
  if (!process.stdin.isTTY) return { [Symbol.dispose]: () => {} }
  const lines = createInterface({ input: process.stdin })
  lines.on('line', answer)
  return { [Symbol.dispose]: () => lines.close() }
}

/** @throws OperatorError for an argument that is none */
function readArguments(): { clicksPerDay?: number; isHelp: boolean } {
  try {
    const { values } = parseArgs({
      options: { clicks: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
    if (values.clicks !== undefined && !/^[1-9]\d{0,5}$/.test(values.clicks))
      throw new Error('not a number')
    return {
      isHelp: values.help === true,
      ...(values.clicks !== undefined && { clicksPerDay: Number(values.clicks) }),
    }
  } catch {
    throw new OperatorError(
      'The demo takes one argument, --clicks=NUMBER (npm run demo -- --help); PORT sets the port.',
    )
  }
}
