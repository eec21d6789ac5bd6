/**
 * Adds to package-lock.json the platform packages that npm left out because the registry at hand
 * did not have them, and the hashes that the registry has by now. `npm ci` refuses a lockfile without
 * these packages, on every platform. Without a hash npm trusts the registry on the platforms that use
 * the package; `npm run verify` names those.
 *
 * Run it after a change of dependencies: npm run lockfile
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unhashed } from './launcher/checkout.js'
import { findNpm } from './launcher/install.js'

const FILE = new URL('../package-lock.json', import.meta.url)
const SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')

const lock = JSON.parse(readFileSync(FILE, 'utf8'))
const absent = Object.entries(lock.packages).flatMap(([folder, parent]) =>
  Object.entries(parent.optionalDependencies ?? {})
    .map(([name, version]) => ({ folder, name, version, isDev: parent.dev === true }))
    .filter(({ name }) => folder !== '' && !isLocked(folder, name)),
)
for (const { name, version, isDev } of absent) {
  const { os, cpu, libc } = platformOf(name)
  // The order of keys is npm's own, so that its next write changes nothing.
  lock.packages[`node_modules/${name}`] = {
    version,
    cpu: [cpu],
    ...(isDev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os ? { os: [os] } : {}),
  }
}
const without = unhashed(lock.packages)
const found = resolveAgain(without)
for (const folder of without) {
  const { version, ...rest } = lock.packages[folder]
  const integrity = found[folder]?.integrity
  if (integrity) lock.packages[folder] = { version, integrity, ...rest }
}
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync(
  FILE,
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
)
const still = unhashed(lock.packages)
process.stderr.write(
  `package-lock.json: ${absent.length} platform packages added, ${without.length - still.length} hashes; without a hash: ${still.join(', ') || 'none'}.\n`,
)

/**
 * Lets npm resolve these packages, in the locked versions, for a project without others: in this one it would leave
 * out what it once did not find.
 * @param {string[]} folders
 * @returns {Record<string, import('./launcher/checkout.js').Locked>} those that the registry has
 */
function resolveAgain(folders) {
  const project = mkdtempSync(join(tmpdir(), 'signpost-lockfile-'))
  try {
    const versions = folders.map((folder) => [nameOf(folder), lock.packages[folder].version])
    writeFileSync(
      join(project, 'package.json'),
      JSON.stringify({ optionalDependencies: Object.fromEntries(versions) }),
    )
    copyFileSync(fileURLToPath(new URL('../.npmrc', import.meta.url)), join(project, '.npmrc'))
    const [npm, ...first] = findNpm()
    const args = [...first, 'install', '--package-lock-only', '--loglevel=error']
    const { status } = spawnSync(npm, args, { cwd: project, stdio: ['ignore', 2, 2] })
    if (status !== 0) throw new Error('npm could not resolve the packages without a hash')
    return JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')).packages
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
}

/** @param {string} folder */
function nameOf(folder) {
  return folder.replace(/^.*node_modules\//, '')
}

/** @param {string} folder @param {string} name */
function isLocked(folder, name) {
  return [`node_modules/${name}`, `${folder}/node_modules/${name}`].some(
    (place) => place in lock.packages,
  )
}

/**
 * Native packages have their platform in their name: `@oxlint/binding-linux-x64-musl`.
 * @param {string} name
 */
function platformOf(name) {
  // WebAssembly runs on every system: `@tailwindcss/oxide-wasm32-wasi`.
  if (name.includes('wasm32')) return { os: undefined, cpu: 'wasm32', libc: undefined }
  const words = name.split(/[/-]/)
  const at = words.findIndex((word) => SYSTEMS.includes(word))
  const [os, cpu, abi] = words.slice(at)
  if (at < 0 || !os || !cpu) throw new Error(`${name} does not name a platform`)
  const libc = os === 'linux' && abi ? (abi.startsWith('musl') ? 'musl' : 'glibc') : undefined
  return { os, cpu, libc }
}
