import { readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { JOURNAL_VERSION } from '../clicks/journal/format.ts'
import type { Config } from '../platform/config/config.ts'
import { requireForRole } from '../platform/config/roles.ts'
import type { Clock } from '../platform/core/clock.ts'
import type { Log } from '../platform/core/log.ts'
import { openRuntimeDir, removeDeadRuntimeDirs } from '../platform/storage/embedded/runtime-dir.ts'
import { holdDataDir } from '../platform/storage/installation/data-dir.ts'
import { requireFormats, type Formats } from '../platform/storage/installation/formats.ts'

/**
 * Takes the data directory for the processes of this machine.
 * @throws OperatorError for settings that the role forbids, and when another server runs on the directory
 */
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
