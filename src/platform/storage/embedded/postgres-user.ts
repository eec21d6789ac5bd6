import { chownSync, closeSync, constants, openSync, readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { OperatorError } from '../../core/errors.ts'

/** PostgreSQL refuses to run as root, so it runs as this user. */
export type PostgresUser = { uid: number; gid: number }

const DATA_DESCRIPTOR = 3
const UNPRIVILEGED: PostgresUser = { uid: 65_534, gid: 65_534 }

/** The owner of an existing data directory, else `postgres` or `nobody`; null if the program does not run as root. */
export function choosePostgresUser(dataPath: string): PostgresUser | null {
  if (process.getuid?.() !== 0) return null
  const owner = statSync(dataPath, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : UNPRIVILEGED
}

export function giveTo(user: PostgresUser | null, path: string): void {
  if (user !== null) chownSync(path, user.uid, user.gid)
}

/** The socket's peer check compares this name. */
export function readUserName(): string {
  try {
    return userInfo().username
  } catch {
    throw new OperatorError(
      `The embedded PostgreSQL needs uid ${process.getuid?.()} to have a name in /etc/passwd: start Signpost as an account that has one (in a container the image's own, instead of a bare number), or set DATABASE_URL.`,
    )
  }
}

/** Another user could not enter the directory under a closed home, so root opens it and passes the descriptor on. */
export function openDataPath(directory: string, user: PostgresUser | null) {
  if (user === null) return { path: directory, stdio: [] as number[], [Symbol.dispose]: () => {} }
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
