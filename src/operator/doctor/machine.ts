import { readFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { availableParallelism, totalmem } from 'node:os'
import { fail, ok, warn, type Finding } from './finding.ts'

const GIGABYTE = 1e9
const LEAST_FREE_BYTES = GIGABYTE
const LOW_SHARE = 0.1
const LEAST_OPEN_FILES = 4_096
/** Both embedded engines and the server at rest. */
const LEAST_MEMORY_BYTES = 1.5 * GIGABYTE

export async function checkMachine(dataDir: string): Promise<Finding[]> {
  return [...(await checkDisk(dataDir)), checkOpenFiles(), checkMemory(), checkProcessor()]
}

async function checkDisk(dataDir: string): Promise<Finding[]> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(dataDir)
  const [freeBytes, share] = [bavail * bsize, bavail / blocks]
  const free = `${(freeBytes / GIGABYTE).toFixed(1)} GB of ${dataDir} are free (${toPercent(share)})`
  const advice = 'free some space, or move DATA_DIR to a larger disk'
  const space =
    freeBytes < LEAST_FREE_BYTES
      ? fail('disk', free, advice)
      : share < LOW_SHARE
        ? warn('disk', free, advice)
        : ok('disk', free)
  // Some file systems have no fixed number of inodes and report 0.
  if (files === 0) return [space, ok('inodes', 'the file system has no limit of files')]
  const left = `${toPercent(ffree / files)} of the inodes are free`
  const inodes =
    ffree / files < LOW_SHARE
      ? warn('inodes', left, 'remove files you do not need, or use a larger file system')
      : ok('inodes', left)
  return [space, inodes]
}

function checkOpenFiles(): Finding {
  const limit = readOpenFileLimit()
  if (limit === null) return ok('open files', 'the limit is not known on this system')
  const message = `a process may open ${limit} files`
  return limit < LEAST_OPEN_FILES
    ? warn('open files', message, `raise it to ${LEAST_OPEN_FILES} (LimitNOFILE=, ulimit -n)`)
    : ok('open files', message)
}

/** The soft limit of this process; a server started in the same way has it too. */
function readOpenFileLimit(): number | null {
  try {
    const [, soft] =
      /^Max open files\s+(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return soft === 'unlimited' ? Infinity : Number(soft ?? NaN) || null
  } catch {
    return null
  }
}

function checkMemory(): Finding {
  const bytes = process.constrainedMemory() || totalmem()
  const message = `${(Math.min(bytes, totalmem()) / GIGABYTE).toFixed(1)} GB of memory`
  return bytes < LEAST_MEMORY_BYTES
    ? warn('memory', message, 'give it 2 GB, or set DATABASE_URL and CLICKHOUSE_URL')
    : ok('memory', message)
}

function checkProcessor(): Finding {
  const count = availableParallelism()
  return count < 2
    ? warn('processor', 'one core', 'the embedded databases delay redirects on one core; use two')
    : ok('processor', `${count} cores`)
}

function toPercent(share: number): string {
  return `${Math.floor(share * 100)} %`
}
