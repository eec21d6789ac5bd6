import { readFileSync, rmSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { JOURNAL_VERSION } from '../clicks/journal/format.ts'
import type { Config } from '../platform/config/config.ts'
import { requireForRole } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { openRuntimeDir, removeDeadRuntimeDirs } from '../platform/storage/embedded/runtime-dir.ts'
import { holdDataDir } from '../platform/storage/installation/data-dir.ts'
import { OperatorError } from '../platform/core/errors.ts'

/** @throws OperatorError for settings that the role forbids, and when another server runs on the directory */
export async function holdInstallation(
  config: Config,
  { log, clock }: { log: Log; clock: Clock },
  opening: AsyncDisposableStack,
): Promise<void> {
  requireForRole(config)
  const { dataDir } = config
  opening.use(holdDataDir(dataDir, clock))
  requireFormats(dataDir, ownFormats())
  const runtimeDir = await openRuntimeDir(dataDir)
  opening.defer(() => rmSync(runtimeDir, { recursive: true, force: true }))
  await removeDeadRuntimeDirs(runtimeDir, log)
}

function ownFormats(): Formats {
  // The package exports no version; its file lies two folders above its entry point.
  const entry = createRequire(import.meta.url).resolve('chdb')
  const [folder] = entry.split(/(?<=\/chdb)\//)
  const { version } = JSON.parse(readFileSync(join(folder!, 'package.json'), 'utf8')) as {
    version: string
  }
  return { journal: String(JOURNAL_VERSION), clickhouse: version }
}

/** Numbers with dots. PostgreSQL's files have their own version. */
type Formats = { journal: string; clickhouse: string }

const FILE = 'formats.json'

/** Refuses data of a newer program. The caller holds the directory. */
function requireFormats(dataDir: string, own: Formats): void {
  const found = read(dataDir)
  const names = Object.keys(own) as (keyof Formats)[]
  const newer = names.find((name) => isNewer(found[name] ?? '', own[name]))
  if (newer)
    throw new OperatorError(
      `DATA_DIR (${dataDir}) has version ${found[newer]} of ${newer === 'journal' ? 'the click journal' : 'the embedded ClickHouse'}, and this program reads up to ${own[newer]}; start the version of Signpost that wrote it or a later one, or restore a backup to another directory.`,
    )
  if (names.every((name) => found[name] === own[name])) return
  const file = join(dataDir, FILE)
  writeFileSync(`${file}.next`, `${JSON.stringify(own)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.next`, file)
}

function read(dataDir: string): Partial<Formats> {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<Formats>
  } catch {
    return {}
  }
}

function isNewer(found: string, own: string): boolean {
  const [a, b] = [found, own].map((version) => version.split('.').map(Number))
  const at = a!.findIndex((part, place) => part !== (b![place] ?? 0))
  return at !== -1 && a![at]! > (b![at] ?? 0)
}
