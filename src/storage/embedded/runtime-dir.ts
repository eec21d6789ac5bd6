import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, mkdtempSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The shortest `sun_path` of the platforms (macOS), less the terminating zero. */
const MAX_SOCKET_PATH_BYTES = 103
const LONGEST_NAME = '/postgres/.s.PGSQL.5432'

/**
 * Where the sockets of one data directory live: a short path (a socket's is limited to about a
 * hundred bytes), on a local file system, the same at every start so that nothing piles up. A
 * directory made anew under an old name gets another one: a server that still runs on the deleted
 * one takes its socket away when it notices. Only we can write in it; as root others may pass through, because PostgreSQL runs as
 * another user. A directory of that name that is somebody else's is not used.
 */
export function openRuntimeDir(dataDir: string): string {
  const isRoot = process.getuid?.() === 0
  const { ino, birthtimeMs } = statSync(dataDir)
  const name = `${realpathSync(dataDir)} ${ino} ${birthtimeMs}`
  const id = createHash('sha256').update(name).digest('hex').slice(0, 12)
  const bases = isRoot ? ['/run', tmpdir(), '/tmp'] : [tmpdir(), '/tmp']
  const mode = isRoot ? 0o711 : 0o700
  for (const base of bases) {
    const path = join(base, `signpost-${id}`)
    if (path.length + LONGEST_NAME.length <= MAX_SOCKET_PATH_BYTES && makeOwn(path, mode))
      return path
  }
  return mkdtempSync(join('/tmp', 'signpost-'))
}

/** True when `path` is now a directory that is ours alone. */
function makeOwn(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  const found = lstatSync(path)
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0
}
