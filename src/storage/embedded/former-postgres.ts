import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { isOwnDirectory } from './own-directory.ts'
import { openProgramsFolder, ownPostgresMajor, type PostgresBinaries } from './postgres-binaries.ts'
import { choosePostgresUser } from './postgres-user.ts'

/** The folder of the engine in a data directory, and its data. */
export function postgresFolders(dataDir: string): { folder: string; data: string } {
  const folder = join(dataDir, 'postgres')
  return { folder, data: join(folder, 'data') }
}

/** The major version of PostgreSQL whose data these are. */
export function readDataMajor(data: string): number {
  return Number.parseInt(readFileSync(join(data, 'PG_VERSION'), 'utf8'), 10)
}

/**
 * The programs of an earlier major version that the data of a data directory have, as a start of their release has laid them out;
 * null for data of the own version or of a later one, without data, and when the programs are not there.
 * @param programs the folder with a folder for each version, instead of that of the starts
 */
export function findFormerPostgres(dataDir: string, programs?: string): PostgresBinaries | null {
  const { folder, data } = postgresFolders(dataDir)
  if (!statSync(join(data, 'PG_VERSION'), { throwIfNoEntry: false })) return null
  const majorVersion = readDataMajor(data)
  if (majorVersion >= ownPostgresMajor()) return null
  const parent = programs ?? openProgramsFolder(folder, choosePostgresUser(data) !== null)
  const name = readdirSync(parent)
    .filter((entry) => entry.startsWith(`postgres-${majorVersion}.`))
    .findLast((entry) => isOwnDirectory(join(parent, entry)))
  return name === undefined ? null : { bin: join(parent, name, 'bin'), majorVersion }
}
