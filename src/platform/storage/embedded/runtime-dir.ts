import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import { OperatorError } from '../../core/errors.ts'
import type { Log } from '../../core/log.ts'

/** The shortest `sun_path` of all platforms (macOS), less the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103
const LONGEST_NAME = '/postgres/.s.PGSQL.5432'
const RECORD = 'runtime-dir'
const OWN_FOLDER = 'run'

/**
 * Opens the directory for the sockets of a data directory, which the caller holds. It is in the data directory, which
 * the command line can see even if the server has a private temporary folder; for root in /run, because PostgreSQL's
 * user may not enter the data directory; where the path would be too long, or the file system has no sockets, in a
 * temporary directory. Its name contains the identity of the data directory, so that a server on a deleted one never
 * removes the sockets of its successor.
 * @throws OperatorError when no directory is usable
 */
export async function openRuntimeDir(dataDir: string): Promise<string> {
  const isRoot = process.getuid?.() === 0
  const id = readDirectoryId(dataDir)
  const inDataDir = join(dataDir, OWN_FOLDER, id)
  const known = findRuntimeDir(dataDir)
  const shared = (isRoot ? ['/run', tmpdir(), '/tmp'] : [tmpdir(), '/tmp']).map((base) =>
    join(base, `signpost-${id}`),
  )
  const candidates = [...(known ? [known] : []), ...(isRoot ? [] : [inDataDir]), ...shared]
  for (const path of candidates) {
    if (path === inDataDir) openOwnFolder(dataDir, id)
    if (isShort(path) && makeOwnDirectory(path, runtimeMode()) && (await takesSockets(path)))
      return record(dataDir, path)
  }
  return record(dataDir, makeUnguessable(dataDir, id))
}

/** Null without one. Ignores a record that was copied along with the data of another server. */
export function findRuntimeDir(dataDir: string): string | null {
  let recorded: string
  try {
    recorded = readFileSync(join(dataDir, RECORD), 'utf8').trim()
  } catch {
    return null
  }
  if (!isAbsolute(recorded))
    return /^run\/[0-9a-f]{12}$/.test(recorded) ? resolve(dataDir, recorded) : null
  return basename(recorded).startsWith(`signpost-${readDirectoryId(dataDir)}`) ? recorded : null
}

/** Makes the directory again after a cleaner of temporary directories removed it. */
export function restoreRuntimeDir(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  if (!makeOwnDirectory(path, runtimeMode()))
    throw new OperatorError(`${path} is not a directory that Signpost alone may write; remove it.`)
}

/** No other user may enter it, so that a socket is protected from the start, with any umask. */
export function openSocketFolder(runtimeDir: string, name: string): string {
  restoreRuntimeDir(runtimeDir)
  const path = join(runtimeDir, name)
  if (makeOwnDirectory(path, 0o700) && (lstatSync(path).mode & 0o077) === 0) return path
  throw new OperatorError(`${path} is not a directory that Signpost alone may enter; remove it.`)
}

function readDirectoryId(dataDir: string): string {
  const { ino, birthtimeMs } = statSync(dataDir)
  const name = `${realpathSync(dataDir)} ${ino} ${birthtimeMs}`
  return createHash('sha256').update(name).digest('hex').slice(0, 12)
}

/** PostgreSQL's user has to pass through root's. */
function runtimeMode(): number {
  return process.getuid?.() === 0 ? 0o711 : 0o700
}

function isShort(path: string): boolean {
  return Buffer.byteLength(path + LONGEST_NAME) <= MAX_SOCKET_PATH_BYTES
}

function openOwnFolder(dataDir: string, id: string): void {
  const folder = join(dataDir, OWN_FOLDER)
  if (!makeOwnDirectory(folder, 0o700)) return
  for (const entry of readdirSync(folder))
    if (entry !== id) rmSync(join(folder, entry), { recursive: true, force: true })
}

/** Some network and shared file systems refuse sockets. */
async function takesSockets(folder: string): Promise<boolean> {
  const path = join(folder, 'probe.sock')
  rmSync(path, { force: true })
  const server = createServer()
  return new Promise((resolvePromise) => {
    server.once('error', () => resolvePromise(false))
    server.listen(path, () => server.close(() => resolvePromise(true)))
  })
}

/** Uses a random name when another user has taken the usual one. */
function makeUnguessable(dataDir: string, id: string): string {
  for (const base of [tmpdir(), '/tmp']) {
    if (!isShort(join(base, `signpost-${id}-XXXXXX`))) continue
    try {
      const path = mkdtempSync(join(base, `signpost-${id}-`))
      chmodSync(path, runtimeMode())
      return path
    } catch {
      continue
    }
  }
  const isRoot = process.getuid?.() === 0
  throw new OperatorError(
    isRoot
      ? 'Signpost has no directory for its sockets: make /run writable for root, or set TMPDIR to a writable directory with a short path.'
      : `Signpost has no directory for its sockets: set TMPDIR to a writable directory with a short path, or choose a DATA_DIR with a shorter path than ${dataDir}.`,
  )
}

/** Writes only a changed record, so that a start works on a full disk. */
function record(dataDir: string, path: string): string {
  if (findRuntimeDir(dataDir) === path) return path
  const isInside = path.startsWith(join(dataDir, OWN_FOLDER, '/'))
  const draft = join(dataDir, `${RECORD}.${process.pid}`)
  try {
    writeFileSync(draft, `${isInside ? join(OWN_FOLDER, basename(path)) : path}\n`, { mode: 0o600 })
    renameSync(draft, join(dataDir, RECORD))
  } catch (error) {
    throw new OperatorError(
      `The file ${RECORD} in DATA_DIR (${dataDir}) cannot be written (${(error as Error).message}).`,
    )
  }
  return path
}

export function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return Boolean(
    found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0,
  )
}

export function makeOwnDirectory(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    // Undoes the umask, since another user may have to pass through.
    chmodSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  return isOwnDirectory(path)
}

const NAME = /^signpost-[0-9a-f]{12}(-\w{6})?$/
/** A starting server listens within this time. */
const STARTING_MS = 10 * 60_000

/** Removes directories of killed servers, in which no process listens. Never throws, since nothing depends on it. */
export async function removeDeadRuntimeDirs(runtimeDir: string, log: Log): Promise<void> {
  const parent = dirname(runtimeDir)
  try {
    for (const name of readdirSync(parent).filter((entry) => NAME.test(entry))) {
      const path = join(parent, name)
      if (path === runtimeDir || !isOwnDirectory(path)) continue
      const ageMs = Date.now() - lstatSync(path).mtimeMs
      if (ageMs < STARTING_MS || (await isListenedIn(path))) continue
      rmSync(path, { recursive: true, force: true })
    }
  } catch (error) {
    log.warn({ err: error, parent }, 'directories of former servers remain')
  }
}

async function isListenedIn(directory: string): Promise<boolean> {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true })
  const sockets = entries.filter((entry) => entry.isSocket())
  const answers = sockets.map(({ parentPath, name }) => isListening(join(parentPath, name)))
  return (await Promise.all(answers)).includes(true)
}

/** False only if the kernel knows no listener. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolvePromise) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolvePromise(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolvePromise(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    )
  })
}
