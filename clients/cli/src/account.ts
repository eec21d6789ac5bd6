import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient, type Client } from '../../typescript/src/index.ts'
import { UserError, type Io } from './command.ts'

type Account = { url: string; key: string }

/** Where `signpost login` stores the key. */
function accountFile(env: Io['env']): string {
  const folder = env['XDG_CONFIG_HOME'] ?? env['APPDATA'] ?? join(homedir(), '.config')
  return join(folder, 'signpost', 'account.json')
}

/** Only the user can read the file, from its first byte on. */
export function saveAccount(env: Io['env'], account: Account): string {
  const file = accountFile(env)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const fresh = `${file}.${process.pid}`
  writeFileSync(fresh, `${JSON.stringify(account)}\n`, { mode: 0o600 })
  renameSync(fresh, file)
  return file
}

export function forgetAccount(env: Io['env']): string {
  const file = accountFile(env)
  rmSync(file, { force: true })
  return file
}

/** The server and key from the environment, else from `signpost login`. */
export function readCredentials(env: Io['env']): Account {
  const { SIGNPOST_URL: url, SIGNPOST_API_KEY: key } = env
  const stored = url && key ? null : readAccount(env)
  return { url: url ?? stored!.url, key: key ?? stored!.key }
}

export function clientFor(env: Io['env']): Client {
  return openClient(readCredentials(env))
}

/** @throws UserError a key or an address that cannot be one */
export function openClient({ url, key }: Partial<Account> & { url: string }): Client {
  try {
    return createClient({ baseUrl: url, ...(key !== undefined && { apiKey: key }) })
  } catch (error) {
    throw new UserError((error as Error).message)
  }
}

export function readAccount(env: Io['env']): Account {
  const file = accountFile(env)
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Account
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      throw new UserError(`${file} cannot be read: run "signpost login" again.`)
    throw new UserError(
      'You are not signed in: run "signpost login --url https://links.example.com", or set SIGNPOST_URL and SIGNPOST_API_KEY.',
    )
  }
}
