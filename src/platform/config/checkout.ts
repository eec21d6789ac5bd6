import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { OperatorError } from '../core/errors.ts'

export const ROOT = join(import.meta.dirname, '../../..')

let version: string | undefined

export function readVersion(): string {
  version ??= (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string })
    .version
  return version
}

const FILE = join(ROOT, '.env')
const FURTHER_NAMES = ['SIGNPOST_API_KEY']
const MOST_EDITS = 3

export function readEnvFile(): NodeJS.Dict<string> {
  try {
    return parseEnv(readFileSync(FILE, 'utf8'))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT') return {}
    throw new OperatorError(`${FILE} cannot be read (${code}).`)
  }
}

export function describeUnknown(names: readonly string[], settings: readonly string[]): string[] {
  const known = [...settings, ...FURTHER_NAMES]
  return names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = findNearest(name, known)
      return `.env sets ${name}, which is no setting${near === null ? '' : `; did you mean ${near}?`}`
    })
}

function findNearest(name: string, known: readonly string[]): string | null {
  const ranked = known
    .map((candidate) => ({ candidate, edits: countEdits(name.toUpperCase(), candidate) }))
    .toSorted((a, b) => a.edits - b.edits)
  const [nearest] = ranked
  return nearest && nearest.edits <= MOST_EDITS ? nearest.candidate : null
}

function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++)
      next.push(
        Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + Number(from[i - 1] !== to[j - 1])),
      )
    row = next
  }
  return row[to.length]!
}
