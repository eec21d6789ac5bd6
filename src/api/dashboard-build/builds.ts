import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** Each build is a folder named by the hash of its sources. A crash may leave `making-*` and `old-*`. */
const HOME = '.launch/dashboard'
/** Written last. */
const LIST = 'files.json'
const NAME = /^[0-9a-f]{64}$/

export function toHome(checkout: string): string {
  return join(checkout, HOME)
}

export function toBuildFolder(checkout: string): string {
  return join(toHome(checkout), hashSources(checkout))
}

function hashSources(checkout: string): string {
  const files = globSync('dashboard/**/*', { cwd: checkout, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)))
    .toSorted()
  const digest = createHash('sha256')
  for (const file of ['package-lock.json', ...files]) {
    const content = readFileSync(join(checkout, file))
    digest.update(`${file}\n${content.length}\n`).update(content)
  }
  return digest.digest('hex')
}

/** The other builds, the last used one first. */
export async function listOthers(checkout: string, folder: string): Promise<string[]> {
  const home = toHome(checkout)
  const names = await readdir(home).catch(() => [])
  const others = names.map((name) => join(home, name)).filter((other) => other !== folder)
  const found = await Promise.all(
    others
      .filter((other) => NAME.test(other.slice(home.length + 1)))
      .map(async (other) => ({ other, usedAtMs: await timeOf(other) })),
  )
  return found.toSorted((a, b) => b.usedAtMs - a.usedAtMs).map(({ other }) => other)
}

async function timeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  )
}

/** False for a build that lost files or their content, as after a power failure. */
export async function isComplete(folder: string): Promise<boolean> {
  try {
    const text = await readFile(join(folder, LIST), 'utf8')
    const { files } = JSON.parse(text) as {
      files: { path: string; bytes: number; br: number | null; gzip: number | null }[]
    }
    const sizes = files.flatMap(({ path, bytes, br, gzip }) => [
      [path, bytes] as const,
      ...(br === null ? [] : [[`${path}.br`, br] as const]),
      ...(gzip === null ? [] : [[`${path}.gz`, gzip] as const]),
    ])
    const found = await Promise.all(sizes.map(([path]) => stat(join(folder, path))))
    return found.every(({ size }, i) => size === sizes[i]![1])
  } catch {
    return false
  }
}
