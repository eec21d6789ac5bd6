import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { isComplete, listOthers, toBuildFolder, toHome } from './builds.ts'

export class BuildError extends Error {
  readonly output: string

  constructor(message: string, output = '') {
    super(message)
    this.output = output
  }
}

const TIMEOUT_MS = 300_000
/** A build takes seconds, so older remains belong to no running process. */
const STRAY_MS = 3_600_000
const MAX_OUTPUT_CHARS = 4_000
const MAX_ROUNDS = 5
/** A tenth of the processor time that the server gets when both are busy. */
const NICENESS = 10

/**
 * The previous build stays for open tabs; older ones are removed. Processes need no lock: each builds into its own
 * folder, the first rename wins, and a folder is renamed before it is removed. Sources that change meanwhile are
 * built again.
 * @throws BuildError
 */
export async function ensureBuild(
  checkout: string,
  signal?: AbortSignal,
): Promise<{ folder: string; isNew: boolean }> {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const folder = toBuildFolder(checkout)
    if (await isComplete(folder)) return { folder, isNew: round > 0 }
    if (await buildInto(checkout, folder, signal)) return { folder, isNew: true }
  }
  throw new BuildError('the sources change faster than they are built')
}

/** @returns false if the sources changed meanwhile; then the build is dropped */
async function buildInto(checkout: string, folder: string, signal?: AbortSignal): Promise<boolean> {
  const home = toHome(checkout)
  const newFolder = join(home, `making-${randomBytes(8).toString('hex')}`)
  await mkdir(newFolder, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    throw new BuildError(`${home} cannot be written (${error.code})`)
  })
  try {
    await runBuild(checkout, newFolder, signal)
    if (!(await isComplete(newFolder)))
      throw new BuildError('the build has no complete list of files')
    if (toBuildFolder(checkout) !== folder) return false
    await putInPlace(newFolder, folder)
    await removeOld(checkout, folder)
    return true
  } finally {
    await rm(newFolder, { recursive: true, force: true })
  }
}

/** Its own process, which returns its memory. It gets no variable of this one, since those may be secrets. */
function runBuild(checkout: string, newFolder: string, signal?: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const child = spawn(process.execPath, [join(checkout, 'dashboard/build.js'), newFolder], {
    cwd: checkout,
    env: { NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    ...(signal && { signal }),
  })
  lowerPriority(child.pid)
  let output = ''
  const collect = (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-MAX_OUTPUT_CHARS)
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  child.once('error', (error) => {
    if (!signal?.aborted) reject(new BuildError(`the build could not be run: ${error.message}`))
  })
  child.once('close', (code, endedBy) => {
    if (signal?.aborted) reject(signal.reason)
    else if (code === 0) resolve()
    else reject(new BuildError(endOf(code, endedBy), stripVTControlCharacters(output)))
  })
  return promise
}

function endOf(code: number | null, signal: NodeJS.Signals | null): string {
  return `the build ended with ${signal ?? `exit code ${code}`}`
}

function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    setPriority(pid, NICENESS)
  } catch {
    // The child has ended already, or the sandbox forbids it.
  }
}

/** Another process may have been first; a build that is not complete is replaced. */
async function putInPlace(newFolder: string, folder: string): Promise<void> {
  if (await tryRename(newFolder, folder)) return
  if (await isComplete(folder)) return
  await remove(folder)
  if ((await tryRename(newFolder, folder)) || (await isComplete(folder))) return
  throw new BuildError(`${folder} cannot be replaced`)
}

async function removeOld(checkout: string, folder: string): Promise<void> {
  const [, ...older] = await listOthers(checkout, folder)
  for (const build of older) await remove(build)
  const home = toHome(checkout)
  const strays = (await readdir(home)).filter((name) => /^(making|old)-/.test(name))
  for (const name of strays) {
    const path = join(home, name)
    const found = await stat(path).catch(() => null)
    if (found && Date.now() - found.mtimeMs > STRAY_MS)
      await rm(path, { recursive: true, force: true })
  }
}

async function remove(build: string): Promise<void> {
  const old = join(build, `../old-${randomBytes(8).toString('hex')}`)
  if (await tryRename(build, old)) await rm(old, { recursive: true, force: true })
}

async function tryRename(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes(code)) return false
    throw new BuildError(`${to} cannot be written (${code})`)
  }
}
