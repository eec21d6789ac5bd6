import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import type { Log } from '../../core/log.ts'
import { isOwnDirectory } from './own-directory.ts'

/** As `openRuntimeDir` names directories that are shared with other data directories. */
const NAME = /^signpost-[0-9a-f]{12}(-\w{6})?$/
/** A server that starts changes its directory at once, and listens in it within this time. */
const STARTING_MS = 10 * 60_000

/**
 * Removes the runtime directories that killed servers of this user left beside that of this one: those in which no
 * process listens. Their next start makes them again. Never throws, since nothing depends on it.
 */
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

/** Whether a process listens on a socket in a folder of the directory. */
async function isListenedIn(directory: string): Promise<boolean> {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true })
  const sockets = entries.filter((entry) => entry.isSocket())
  const answers = sockets.map(({ parentPath, name }) => isListening(join(parentPath, name)))
  return (await Promise.all(answers)).includes(true)
}

/** False only if the kernel knows of no listener. */
function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT'),
    )
  })
}
