import { chmodSync, lstatSync, mkdirSync } from 'node:fs'

/** True when `path` is a directory that this user alone may write. */
export function isOwnDirectory(path: string): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false })
  return Boolean(
    found?.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o022) === 0,
  )
}

/** Makes the directory with `mode` unless it exists. False when it is not of this user alone. */
export function makeOwnDirectory(path: string, mode: number): boolean {
  try {
    mkdirSync(path, { mode })
    // The umask may have removed permissions that another user needs to pass through.
    chmodSync(path, mode)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  return isOwnDirectory(path)
}
