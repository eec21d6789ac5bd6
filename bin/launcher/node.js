import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { LaunchError, lockedPackages, ROOT } from './checkout.js'

/** The oldest Node with all features that the program uses; the pinned one may be newer. */
const OLDEST = [24, 15]

const FOLDER = `node_modules/node-${process.platform}-${process.arch}`
const PINNED = join(ROOT, FOLDER, 'bin/node')
const LINK = join(ROOT, 'node_modules/.bin/node')

/**
 * Puts the pinned Node on the PATH of every npm script. npm 10 and older create this link and remove
 * it again with the same link of the platforms that they skip; a later `npm install` would then take
 * the package for broken and replace the binary under a running server.
 */
export function linkPinnedNode() {
  if (!existsSync(PINNED) || existsSync(LINK)) return
  mkdirSync(dirname(LINK), { recursive: true })
  rmSync(LINK, { force: true })
  symlinkSync(relative(dirname(LINK), PINNED), LINK)
}

/**
 * The Node that runs the program: the one that package-lock.json pins for this platform, else the
 * current one.
 * @returns {{ path: string, isCurrent: boolean }}
 * @throws LaunchError when none is pinned and this one is too old
 */
export function programNode() {
  const pinned = lockedPackages()[FOLDER]?.version
  if (pinned) return { path: PINNED, isCurrent: pinned === process.versions.node }
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new LaunchError(
      `on ${process.platform}-${process.arch} Node ${OLDEST.join('.')} or later is needed; this is Node ${process.versions.node}.`,
    )
  return { path: process.execPath, isCurrent: true }
}
