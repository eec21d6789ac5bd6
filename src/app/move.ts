import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeBackup } from '../backup/backup.ts'
import { loadDatabases, openBackup, requireEmpty, requireRoom } from '../backup/restore.ts'
import { systemClock } from '../base/clock.ts'
import { OperatorError } from '../base/errors.ts'
import { openLog, type Log } from '../base/log.ts'
import { toLogStream } from '../base/log-text.ts'
import { readConfig, readEnvironment, SETTINGS, type Config } from '../config/config.ts'
import { readVersion } from '../gateway/documents.ts'
import { holdDataDir } from '../storage/data-dir.ts'
import { openEngines } from '../storage/embedded/engines.ts'
import { openStores } from '../storage/stores.ts'
import { openDatabases, requireAnswers, requireDataDir } from './backup.ts'

const EMBEDDED = 'embedded'
/** In the data directory, while a move runs. */
const FOLDER = 'move'

type Targets = Pick<Config, 'databaseUrl' | 'clickhouseUrl'>
const ENGINES = ['postgres', 'clickhouse'] as const
type Engine = (typeof ENGINES)[number]

/** `signpost move`: copies one database or both to other ones, by the format of backups, while no server runs. */
export async function moveCommand(args: string[], say: (text: string) => void): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { 'database-url': { type: 'string' }, 'clickhouse-url': { type: 'string' } },
  })
  const config = readConfig(readEnvironment())
  const targets: Targets = {
    databaseUrl: readTarget('databaseUrl', 'database-url', values, config),
    clickhouseUrl: readTarget('clickhouseUrl', 'clickhouse-url', values, config),
  }
  const isMoved = { postgres: isOther('databaseUrl'), clickhouse: isOther('clickhouseUrl') }
  if (!isMoved.postgres && !isMoved.clickhouse)
    throw new OperatorError(
      'move needs --database-url or --clickhouse-url with another address than that of the settings.',
    )
  await move(config, targets, isMoved, openLog('error', toLogStream(null, process.stderr)))
  say(`The data are moved and were compared. Set these before the next start of each process:\n`)
  if (isMoved.postgres) say(toAssignment('databaseUrl'))
  if (isMoved.clickhouse) say(toAssignment('clickhouseUrl'))

  function isOther(setting: keyof Targets): boolean {
    return targets[setting] !== config[setting]
  }
  function toAssignment(setting: keyof Targets): string {
    const { name } = SETTINGS[setting]
    return targets[setting] === null ? `no ${name}\n` : `${name}=…  (the address of the move)\n`
  }
}

async function move(
  config: Config,
  targets: Targets,
  isMoved: Record<Engine, boolean>,
  log: Log,
): Promise<void> {
  requireDataDir(config)
  const received = ENGINES.filter((engine) => isMoved[engine] && !isExternal(targets, engine))
  for (const engine of received) requireNoEngine(config.dataDir, engine)
  using held = holdDataDir(config.dataDir, systemClock)
  const directory = join(config.dataDir, FOLDER)
  // Of a move that was killed.
  for (const left of [directory, `${directory}.partial`])
    await rm(left, { recursive: true, force: true })
  try {
    for (const engine of received) mkdirSync(join(config.dataDir, engine), { mode: 0o700 })
    await copy(config, targets, { directory, isMoved }, log)
    // As the next start: checks that all parts belong together.
    await using _stores = await openStores(
      { ...config, ...targets, databasePoolUrl: null },
      held,
      log,
    )
  } catch (error) {
    for (const engine of received)
      await rm(join(config.dataDir, engine), { recursive: true, force: true, maxRetries: 5 })
    throw error
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
  for (const engine of ENGINES)
    if (isMoved[engine] && !isExternal(config, engine)) setAside(config.dataDir, engine)
}

async function copy(
  config: Config,
  targets: Targets,
  { directory, isMoved }: { directory: string; isMoved: Record<Engine, boolean> },
  log: Log,
): Promise<void> {
  await using opening = new AsyncDisposableStack()
  const runs = (engine: Engine) => !isExternal(config, engine) || !isExternal(targets, engine)
  const engines = opening.use(
    await openEngines({
      dataDir: config.dataDir,
      log,
      postgres: runs('postgres'),
      clickhouse: runs('clickhouse'),
    }),
  )
  const addressesOf = ({ databaseUrl, clickhouseUrl }: Targets) => ({
    databaseUrl: databaseUrl ?? engines.postgresUrl!,
    clickhouseUrl: clickhouseUrl ?? engines.clickhouseUrl!,
  })
  const [sourceAddresses, targetAddresses] = [addressesOf(config), addressesOf(targets)]
  const source = openDatabases(sourceAddresses, opening)
  await requireAnswers(source, sourceAddresses)
  // The settings of a cluster are those of the target if it is no embedded engine.
  const clickhouseCluster = targets.clickhouseUrl === null ? null : config.clickhouseCluster
  const destination = openDatabases(targetAddresses, opening, { clickhouseCluster })
  await requireAnswers(destination, targetAddresses)
  const target = { ...destination, log, ...config }
  const version = await readVersion()
  const parts = { ...isMoved, files: false }
  const from = { ...source, dataDir: config.dataDir, version }
  await writeBackup(from, directory, { secretKey: null, parts })
  const manifest = await openBackup(directory)
  await requireRoom(manifest, config.dataDir, {
    postgres: targets.databaseUrl === null,
    clickhouse: targets.clickhouseUrl === null,
  })
  await requireEmpty(target, manifest)
  await loadDatabases(target, directory, manifest)
}

/** @throws OperatorError for a value that is no address */
function readTarget<Option extends string>(
  setting: keyof Targets,
  option: Option,
  { [option]: given }: { [option in Option]?: string | undefined },
  config: Config,
): string | null {
  if (given === undefined) return config[setting]
  if (given === EMBEDDED) return null
  try {
    return SETTINGS[setting].parse(given)
  } catch (error) {
    throw new OperatorError(`--${option} must be ${EMBEDDED}, or ${(error as Error).message}.`)
  }
}

function isExternal({ databaseUrl, clickhouseUrl }: Targets, engine: Engine): boolean {
  return (engine === 'postgres' ? databaseUrl : clickhouseUrl) !== null
}

/** @throws OperatorError when the data directory has an embedded engine already */
function requireNoEngine(dataDir: string, engine: Engine): void {
  if (existsSync(join(dataDir, engine)))
    throw new OperatorError(
      `The embedded database that is to receive the data holds data already (${join(dataDir, engine)}).`,
    )
}

/** Keeps the former data under a name that no start uses. */
function setAside(dataDir: string, engine: Engine): void {
  const earlier = readdirSync(dataDir).filter((name) => name.startsWith(`${engine}.moved-`))
  renameSync(join(dataDir, engine), join(dataDir, `${engine}.moved-${earlier.length + 1}`))
}
