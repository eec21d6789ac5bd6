import { openSupervisor } from '../../src/app/supervisor.ts'
import { systemClock } from '../../src/platform/core/clock.ts'
import { openLog } from '../../src/platform/core/log.ts'
import { NO_SOCKETS } from '../../src/platform/http/listening.ts'
import { readConfig } from '../../src/platform/config/config.ts'
import { callServer } from '../../src/operator/socket.ts'

/** Arguments of a script: `<data directory> <number of accounts> [<SETTING=value> …]`. */
export function readArguments([dataDir = '', accounts = '1', ...given]: readonly string[]) {
  const settings = given.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    return [setting.slice(0, at), setting.slice(at + 1)]
  })
  return { dataDir, accounts: Number(accounts), settings: Object.fromEntries(settings) }
}

/**
 * Runs the program, this process as its supervisor, with embedded databases unless the settings name others, and creates
 * the accounts.
 * @returns its port and the API key of each account as one line
 */
export async function openProgram({
  dataDir,
  accounts,
  settings,
}: ReturnType<typeof readArguments>) {
  // The standard output has the line below alone.
  const config = { ...readConfig({ LOG_LEVEL: 'error', ...settings }), port: 0, dataDir }
  const log = openLog('error', process.stderr)
  const stop = new AbortController()
  const context = { log, clock: systemClock, stop: stop.signal, passed: NO_SOCKETS }
  const program = await openSupervisor(config, context)
  const running = program.run(stop.signal)
  const keys: string[] = []
  for (let i = 0; i < accounts; i++) {
    const input = { email: `account${i}@example.com` }
    const made = await callServer(dataDir, 'bootstrap', input)
    keys.push((made as { apiKey: string }).apiKey)
  }
  return {
    line: `${new URL(program.origin).port} ${keys.join(' ')}\n`,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
      await program[Symbol.asyncDispose]()
    },
  }
}
