import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { compressFiles } from '../../dashboard/compress.ts'
import { ensureBuild } from '../../src/api/dashboard-build/build.ts'
import { freshFolder } from './fixtures.ts'

/** The checkout that these tests run from. */
export const CHECKOUT = join(import.meta.dirname, '../..')

/**
 * Content of `dashboard/build.js` in a made checkout: the assets carry the name that `dashboard/name.txt`
 * holds. `fails`, `hangs` as a name make it do so; `moves` changes the sources once, while they are built.
 */
const BUILD = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { compressFiles } from '${pathToFileURL(join(CHECKOUT, 'dashboard/compress.ts')).href}'
const outDir = process.argv[2]
appendFileSync('diary', JSON.stringify(process.env) + '\\n')
const name = readFileSync('dashboard/name.txt', 'utf8').trim()
if (name === 'fails') {
  console.error('\\x1b[31mname.txt:1:\\x1b[0m this is no name')
  process.exit(1)
}
if (name === 'moves') writeFileSync('dashboard/name.txt', 'moved\\n')
if (name === 'hangs') setInterval(() => {}, 1_000)
else {
  mkdirSync(outDir + '/assets')
  writeFileSync(outDir + '/assets/' + name + '.js', 'console.log(1)'.repeat(100))
  for (const page of ['index', 'share'])
    writeFileSync(outDir + '/' + page + '.html', '<!doctype html><title>' + name + '</title>')
  await compressFiles(outDir)
}
`

export type DashboardCheckout = {
  folder: string
  /** Changes the sources, so that the build has another hash and an asset of this name. */
  rename(name: string): void
  /** The environments of the builds so far. */
  builds(): Record<string, string>[]
}

/** A checkout with a dashboard that is built in no time, without Vite. */
export function makeDashboardCheckout(name: string): DashboardCheckout {
  const folder = freshFolder()
  mkdirSync(join(folder, 'dashboard'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'dashboard/build.js'), BUILD)
  const rename = (next: string) => writeFileSync(join(folder, 'dashboard/name.txt'), `${next}\n`)
  rename(name)
  const diary = join(folder, 'diary')
  return {
    folder,
    rename,
    builds: () =>
      existsSync(diary)
        ? readFileSync(diary, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Record<string, string>)
        : [],
  }
}

/** A finished build of these files, as the build writes it. */
export async function writeBuild(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = freshFolder()
  mkdirSync(join(folder, 'assets'))
  for (const [path, content] of Object.entries(files)) appendFileSync(join(folder, path), content)
  await compressFiles(folder)
  return folder
}

/**
 * The checkout of this run, once its dashboard is built: one build for all test files, which only those
 * wait for that ask. To be given to `openWorld`.
 */
export async function builtDashboard(): Promise<string> {
  await ensureBuild(CHECKOUT)
  return CHECKOUT
}
