/**
 * Adds to package-lock.json the platform packages that npm left out because the registry at hand
 * did not have them. `npm ci` refuses a lockfile without them, on every platform. They are locked
 * by version; the hash is unknown, so npm trusts the registry on the platforms that use them.
 *
 * Run it after a change of dependencies: npm run lockfile
 */
import { readFileSync, writeFileSync } from 'node:fs'

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
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => a.localeCompare(b, 'en'))
writeFileSync(
  FILE,
  `${JSON.stringify({ ...lock, packages: Object.fromEntries(sorted) }, null, 2)}\n`,
)
process.stderr.write(`package-lock.json: ${absent.length} platform packages added.\n`)

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
