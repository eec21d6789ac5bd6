import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig, readEnvironment, type Config } from '../../platform/config/config.ts'
import { systemClock, type Clock } from '../../platform/core/clock.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import type { Log } from '../../platform/core/log.ts'
import { sleep } from '../../platform/core/service.ts'
import {
  DataDirHeldError,
  holdDataDir,
  openDataDir,
} from '../../platform/storage/installation/data-dir.ts'
import type { Stores } from '../../platform/storage/stores.ts'
import type { Operations } from '../operations.ts'
import { callServer } from '../socket.ts'
import { openCommandLog } from './command.ts'

export type Offline = { stores: Stores; config: Config; log: Log; clock: Clock }

type OperateOffline = (offline: Offline, name: keyof Operations, input: object) => Promise<unknown>

/** @param onPlace called afterwards with a message that says which data it changed */
export type Operate = <Name extends keyof Operations>(
  name: Name,
  input: Parameters<Operations[Name]>[0] & object,
  onPlace?: (message: string) => void,
) => Promise<Awaited<ReturnType<Operations[Name]>>>

/** When it resolves to false, the exit code is 1. */
export type Command = (args: string[], operate: Operate) => Promise<unknown>

/** Wait for a server that is starting: it locks the data directory before its socket listens. */
const SERVER_START_MS = 30_000

export function createOperate(operateOffline: OperateOffline): Operate {
  const operate = (name: keyof Operations, input: object, onPlace?: (message: string) => void) =>
    callOrOpen(name, input, (offline) => operateOffline(offline, name, input), onPlace)
  return operate as Operate
}

export async function callOrOpen<T>(
  operation: string,
  input: object,
  perform: (offline: Offline) => Promise<T>,
  onPlace: (message: string) => void = () => {},
): Promise<T> {
  const config = readConfig(readEnvironment())
  const log = openCommandLog()
  const deadline = performance.now() + SERVER_START_MS
  for (;;) {
    // First, since the server may have a DATABASE_URL that the command was not given.
    const answer = await callRunning(config.dataDir, operation, input)
    if (answer !== null) {
      onPlace(`done by the running server of ${config.dataDir}.`)
      return answer as T
    }
    if (operation !== 'bootstrap') requireData(config)
    try {
      const isNew = !hasData(config)
      using dataDir = holdDataDir(config.dataDir, systemClock)
      // A command that a server answers does without this code, which takes longer to load than it runs.
      const { openStores } = await import('../../platform/storage/stores.ts')
      await using stores = await openStores(config, dataDir, log)
      const result = await perform({ stores, config, log, clock: systemClock })
      onPlace(describePlace(config, isNew))
      return result
    } catch (error) {
      if (!(error instanceof DataDirHeldError) || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

async function callRunning(dataDir: string, operation: string, input: object): Promise<unknown> {
  // The command must not create the directory.
  if (!existsSync(dataDir)) return null
  openDataDir(dataDir)
  return callServer(dataDir, operation, input)
}

/** Refuses a directory without data, where every answer would be empty and wrong. */
export function requireData(config: Config): void {
  if (!hasData(config))
    throw new OperatorError(
      `There is no data in ${config.dataDir}; set DATA_DIR (or DATABASE_URL) as the server has it.`,
    )
}

function hasData({ dataDir, databaseUrl }: Config): boolean {
  return databaseUrl !== null || existsSync(join(dataDir, 'postgres'))
}

/** Tells the operator which data was changed: a server with another DATA_DIR would not have it. */
function describePlace({ dataDir, databaseUrl }: Config, isNew: boolean): string {
  const place =
    databaseUrl === null ? dataDir : `the database of DATABASE_URL, with DATA_DIR ${dataDir}`
  return isNew
    ? `no server runs on ${place}; a new installation was created there.`
    : `no server runs on ${place}; its data was changed directly.`
}
