import { execFileSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The reason for which tests with a disk of their own are skipped; false where they run. */
export const skipsDisks =
  process.platform === 'linux' && process.getuid?.() === 0 ? false : 'mounting a disk needs root'

/** Mounts a disk of 400 MB in a folder; null where no file system may be mounted. */
export function mountSmallDisk(folder: string): { path: string; unmount(): void } | null {
  const path = join(folder, 'disk')
  mkdirSync(path)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', path], { stdio: 'ignore' })
  } catch {
    return null
  }
  return { path, unmount: () => execFileSync('umount', ['--lazy', path]) }
}

/** Writes until nothing fits any more. Remove the file to free the disk. */
export function fillDisk(disk: string): string {
  const path = join(disk, 'filler')
  const file = openSync(path, 'w')
  for (let bytes = 1_048_576; bytes >= 512;) {
    try {
      if (writeSync(file, Buffer.alloc(bytes)) < bytes) bytes /= 2
    } catch {
      bytes /= 2
    }
  }
  closeSync(file)
  return path
}
