import { openApp } from '../../src/app/app.ts'
import { openLog } from '../../src/base/log.ts'
import { readConfig } from '../../src/config/config.ts'

/** Arguments of a script: `<data directory> <number of accounts> [<SETTING=value> …]`. */
export function readArguments([dataDir = '', accounts = '1', ...given]: readonly string[]) {
  const settings = given.map((setting): [string, string] => {
    const at = setting.indexOf('=')
    return [setting.slice(0, at), setting.slice(at + 1)]
  })
  return { dataDir, accounts: Number(accounts), settings: Object.fromEntries(settings) }
}

/**
 * Runs the whole program, with embedded databases unless the settings name others, and creates the accounts.
 * @returns its port and the API key of each account as one line
 */
export async function openProgram({
  dataDir,
  accounts,
  settings,
}: ReturnType<typeof readArguments>) {
  const config = { ...readConfig(settings), port: 0, dataDir }
  const app = await openApp(config, { log: openLog('error', process.stderr) })
  const stop = new AbortController()
  const running = app.run(stop.signal)
  const keys: string[] = []
  for (let i = 0; i < accounts; i++)
    keys.push((await app.bootstrap.create({ email: `account${i}@example.com` })).apiKey)
  return {
    line: `${new URL(app.origin).port} ${keys.join(' ')}\n`,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
      await app[Symbol.asyncDispose]()
    },
  }
}
