import { chownSync, closeSync, constants, openSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { OperatorError } from '../../base/errors.ts'

/** The user PostgreSQL runs as when we are root, which it refuses to be. */
export type PostgresUser = { uid: number; gid: number }

/** The descriptor at which every process of PostgreSQL finds its data; see {@link openDataPath}. */
const DATA_DESCRIPTOR = 3
const NOBODY: PostgresUser = { uid: 65_534, gid: 65_534 }

/**
 * The owner of the data directory when there is one, else `postgres` or `nobody`. Null when we are
 * not root: then PostgreSQL simply runs as we do.
 */
export function choosePostgresUser(dataPath: string): PostgresUser | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(dataPath, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : NOBODY
}

export function giveTo(user: PostgresUser | null, path: string): void {
  if (user !== null) chownSync(path, user.uid, user.gid)
}

/**
 * The name by which the operating system knows us, which is how the socket's peer check admits us.
 * @throws OperatorError for a uid without a name, with which PostgreSQL's own programs refuse to work
 */
export function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new OperatorError(
      `The embedded PostgreSQL needs uid ${process.getuid?.()} to have a name in /etc/passwd: start Signpost as an account that has one (in a container the image's own, instead of a bare number), or set DATABASE_URL.`,
    )
  }
}

/** A data directory as one child of ours is told of it. */
export type DataPath = {
  /** What follows `-D`. */
  path: string
  /** Appended to the child's standard three. */
  stdio: number[]
  [Symbol.dispose](): void
}

/**
 * Another user could not enter a data directory under a closed home. So as root we open the
 * directory and hand it over: a process may follow its own /proc/self/fd whatever lies above, and
 * all that PostgreSQL starts inherit the descriptor.
 */
export function openDataPath(directory: string, user: PostgresUser | null): DataPath {
  if (user === null) return { path: directory, stdio: [], [Symbol.dispose]: () => {} }
  if (process.platform !== 'linux')
    throw new OperatorError(
      'The embedded PostgreSQL cannot be run by root on this system; start Signpost as an ordinary user, or set DATABASE_URL.',
    )
  const descriptor = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY)
  return {
    path: `/proc/self/fd/${DATA_DESCRIPTOR}`,
    stdio: [descriptor],
    [Symbol.dispose]: () => closeSync(descriptor),
  }
}
