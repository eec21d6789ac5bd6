import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { readConfig, readEnvironment, type Config } from '../../platform/config/config.ts'
import { callServer } from '../socket.ts'
import { openDataDir } from '../../platform/storage/installation/data-dir.ts'
import type { Addresses } from '../../platform/storage/stores.ts'
import { say } from '../command-line/command.ts'
import { readSecretKey, requireDataDir } from '../backup/run-backup.ts'
import { checkDatabases } from './databases.ts'
import { ok, warn, type Finding } from './finding.ts'
import { checkMachine } from './machine.ts'
import { checkSurroundings } from './surroundings.ts'

export async function doctor(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const findings = await examine(readConfig(readEnvironment()))
  if (values.json) say(`${JSON.stringify({ findings })}\n`)
  else for (const finding of findings) say(render(finding))
  return findings.every(({ state }) => state !== 'fail')
}

async function examine(config: Config): Promise<Finding[]> {
  const { dataDir } = config
  requireDataDir(config)
  openDataDir(dataDir)
  const running = (await callServer(dataDir, 'addresses', {})) as Addresses | null
  const server = running
    ? ok('server', `it runs on ${dataDir}`)
    : warn('server', `none runs on ${dataDir}`, 'start it')
  const addresses = running ?? readAddresses(config)
  const keys = { secretKey: findKey(config), clickhouseEngine: config.clickhouseEngine }
  const databases = addresses
    ? await checkDatabases(addresses, keys)
    : [
        warn(
          'databases',
          'the embedded ones only run with the server',
          'start it, and run doctor again',
        ),
      ]
  return [
    server,
    ...(await checkMachine(dataDir)),
    ...databases,
    ...(await checkSurroundings(config)),
  ]
}

function readAddresses({ databaseUrl, clickhouseUrl }: Config): Addresses | null {
  return databaseUrl && clickhouseUrl ? { databaseUrl, clickhouseUrl } : null
}

/** Null if only the environment of the server has the key. */
function findKey(config: Config): string | null {
  const hasKey = config.secretKey !== null || existsSync(join(config.dataDir, 'secret.key'))
  return hasKey ? readSecretKey(config) : null
}

const MARKS: Record<Finding['state'], string> = { ok: 'ok   ', warn: 'WARN ', fail: 'FAIL ' }

/** One line, even for a database's message of several. */
function render({ check, state, message, advice }: Finding): string {
  const text = advice === '' ? message : `${message}: ${advice}`
  return `${MARKS[state]} ${check.padEnd(22)} ${text.replaceAll(/\s+/g, ' ')}\n`
}
