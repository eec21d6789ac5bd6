import { parseArgs } from 'node:util'
import { OperatorError } from '../../platform/core/errors.ts'
import { readConfig, readEnvironment, type Config } from '../../platform/config/config.ts'
import { callServer, sealProbe } from '../socket.ts'
import {
  openDataDir,
  removeFormerSecretKey,
  replaceSecretKey,
  holdDataDir,
} from '../../platform/storage/installation/data-dir.ts'
import type { SecretKeys } from '../../platform/storage/installation/former-keys.ts'
import { requirePostgres } from '../../platform/storage/installation/reachable.ts'
import { rotateSecret as sealAgain } from '../../platform/storage/installation/rotate-secret.ts'
import { openDatabases, openSource, requireDataDir } from '../backup/run-backup.ts'
import { openCommandLog, say } from './command.ts'
import { systemClock } from '../../platform/core/clock.ts'
import type { Acceptance } from '../../platform/storage/installation/installation.ts'
import { openStores } from '../../platform/storage/stores.ts'
import { requireData } from './operate.ts'

export async function rotateSecret(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'new-key': { type: 'boolean', default: false } },
  })
  const config = readConfig(readEnvironment())
  requireDataDir(config)
  if (values['new-key']) return prepare(config)
  const { secretKey, also } = readKeys(config)
  await requireBothKeys(config, [secretKey, also])
  await using opening = new AsyncDisposableStack()
  const addresses = await openSource(config, openCommandLog(), opening)
  const { sql } = openDatabases(addresses, opening)
  await requirePostgres(sql, addresses.databaseUrl)
  const { sealed, lost } = await sealAgain(sql, { secretKey, former: also })
  if (config.secretKey === null) removeFormerSecretKey(config.dataDir)
  say(`Sealed with the new key: ${sealed}\n`)
  if (lost > 0) say(`Readable with neither key, and left as they are: ${lost}\n`)
  if (config.secretKey !== null)
    say('Remove SECRET_KEY_ALSO from the settings of every process, and restart each.\n')
}

function prepare({ secretKey, dataDir }: Config): void {
  if (secretKey !== null)
    throw new OperatorError(
      'rotate-secret --new-key is for the key in DATA_DIR; here SECRET_KEY is set: set it to a new key, and SECRET_KEY_ALSO to the former one.',
    )
  openDataDir(dataDir).secretKey()
  replaceSecretKey(dataDir)
  say(
    'A new key is in secret.key, the former one in secret.key.former. Restart the server, and run rotate-secret.\n',
  )
}

function readKeys({ secretKey, secretKeyAlso, dataDir }: Config): SecretKeys & { also: string } {
  const files = openDataDir(dataDir)
  const also = secretKeyAlso ?? (secretKey === null ? files.secretKeyAlso() : null)
  if (also === null)
    throw new OperatorError(
      secretKey === null
        ? 'There is no former key; begin with rotate-secret --new-key.'
        : 'rotate-secret needs the former key in SECRET_KEY_ALSO, and the new one in SECRET_KEY.',
    )
  return { secretKey: secretKey ?? files.secretKey(), also }
}

async function requireBothKeys({ dataDir }: Config, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    const input = { probe: sealProbe(key) }
    const answer = await callServer(dataDir, 'opens-probe', input)
    if (answer === false)
      throw new OperatorError(
        `The server that runs on DATA_DIR (${dataDir}) does not accept both keys; restart it with the settings of this command.`,
      )
  }
}

const ACCEPTANCES: Record<Acceptance, { loss: string; done: string }> = {
  'empty-clickhouse': {
    loss: 'accept-empty-clickhouse loses the analytics of all clicks in the former ClickHouse; add --yes to confirm.',
    done: 'ClickHouse is ready and empty. Clicks that wait in a journal will be stored in it.\n',
  },
  'new-secret-key': {
    loss: 'accept-new-secret-key loses every second factor, link password, webhook signing secret and webhook header stored with the former key, and counts every visitor as new; add --yes to confirm.',
    done: 'SECRET_KEY is accepted. Rotate the signing secrets, and ask users to set up their second factors again.\n',
  },
}

export async function accept(acceptance: Acceptance, args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { yes: { type: 'boolean', default: false } },
  })
  const { loss, done } = ACCEPTANCES[acceptance]
  if (!values.yes) throw new OperatorError(loss)
  const settings = readConfig(readEnvironment())
  requireData(settings)
  using dataDir = holdDataDir(settings.dataDir, systemClock)
  await using _stores = await openStores(settings, dataDir, openCommandLog(), {
    accept: acceptance,
  })
  say(done)
}
