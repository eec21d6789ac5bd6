import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The checkout of this launcher, independent of the working directory. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/** An error that the user can fix: one sentence on stderr, exit code 1, no stack. */
export class LaunchError extends Error {}

/** Writes to stderr: stdout belongs to the program. @param {string} text */
export function say(text) {
  process.stderr.write(`signpost: ${text}\n`)
}

/**
 * The fields of a package in a lockfile that the launcher reads.
 * @typedef {{ version?: string, integrity?: string, resolved?: string, link?: boolean, dev?: boolean, optional?: boolean,
 *   devOptional?: boolean, os?: string | string[], cpu?: string | string[],
 *   libc?: string | string[] }} Locked
 */

/**
 * The packages that package-lock.json names, by their folder (`node_modules/pino`).
 * @returns {Record<string, Locked>}
 */
export function lockedPackages() {
  const entries = Object.entries(packagesOf(join(ROOT, 'package-lock.json')))
  return Object.fromEntries(entries.filter(([folder, { link }]) => isPackage(folder) && !link))
}

/** Other folders of a lockfile are the checkout and its workspaces. @param {string} folder */
function isPackage(folder) {
  return folder.startsWith('node_modules/')
}

/**
 * The folders of locked packages that have no hash, so that npm would install whatever the registry sends.
 * @param {Record<string, Locked>} locked
 */
export function unhashed(locked) {
  return Object.keys(locked).filter((folder) => {
    return isPackage(folder) && !locked[folder]?.link && !locked[folder]?.integrity
  })
}

/** Platforms of chdb that the registry did not have when they were locked. */
export const KNOWN_UNHASHED = [
  'node_modules/@chdb/lib-darwin-arm64',
  'node_modules/@chdb/lib-darwin-x64',
  'node_modules/@chdb/lib-linux-arm64-gnu',
]

/**
 * Each package has a hash, and none names a registry.
 * @param {Record<string, Locked>} locked
 * @returns {string[]} a sentence for each that does not
 */
export function findLockfileProblems(locked) {
  return [
    ...unhashed(locked)
      .filter((folder) => !KNOWN_UNHASHED.includes(folder))
      .map((folder) => `${folder} has no hash; "npm run lockfile" adds it.`),
    ...Object.keys(locked)
      .filter((folder) => locked[folder]?.resolved && !locked[folder]?.link)
      .map((folder) => `${folder} names a registry (resolved).`),
  ]
}

/**
 * The packages of the last complete install: npm writes this file as the last step of an install. A
 * package whose folder was removed since does not count.
 * @returns {Record<string, Locked>}
 */
export function installedPackages() {
  const record = join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(record)) return {}
  const present = Object.entries(packagesOf(record)).filter(([folder]) =>
    existsSync(join(ROOT, folder, 'package.json')),
  )
  return Object.fromEntries(present)
}

/**
 * The locked packages that this machine needs and does not have.
 * @param {Record<string, Locked>} locked
 * @param {Record<string, Locked>} installed
 * @param {{ dev: boolean }} scope with or without the packages only tests and checks use
 * @returns {string[]} their folders
 */
export function missingPackages(locked, installed, { dev }) {
  return Object.keys(locked).filter((folder) => {
    const wanted = locked[folder]
    if (!wanted || (wanted.dev && !dev) || !isForThisMachine(wanted)) return false
    const found = installed[folder]
    return found?.version !== wanted.version || found?.integrity !== wanted.integrity
  })
}

/**
 * An optional package is needed only when it names this platform. One without a platform is a
 * dependency of another optional package, which decides.
 * @param {Locked} wanted
 */
function isForThisMachine(wanted) {
  if (!wanted.optional && !wanted.devOptional) return true
  if (!wanted.os && !wanted.cpu) return false
  return (
    allows(wanted.os, process.platform) &&
    allows(wanted.cpu, process.arch) &&
    (process.platform !== 'linux' || allows(wanted.libc, libc()))
  )
}

/** @param {string | string[] | undefined} list as in package.json: names, or `!names` @param {string} name */
function allows(list, name) {
  const names = [list ?? []].flat()
  if (names.includes(`!${name}`)) return false
  const positive = names.filter((entry) => !entry.startsWith('!'))
  return positive.length === 0 || positive.includes(name)
}

/** @type {string | undefined} */
let knownLibc

/** Looks for the name of musl in its `ldd`: Node's report takes longer than a whole launch. */
function libc() {
  if (knownLibc) return knownLibc
  try {
    knownLibc = /\bmusl\b/.test(readFileSync('/usr/bin/ldd', 'latin1')) ? 'musl' : 'glibc'
  } catch {
    knownLibc = 'glibc'
  }
  return knownLibc
}

/** @param {string} file @returns {Record<string, Locked>} */
function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages
  } catch (error) {
    throw new LaunchError(`${file} cannot be read (${/** @type {Error} */ (error).message}).`)
  }
}
