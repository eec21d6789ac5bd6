import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OperatorError } from '../../core/errors.ts'

/** Versions of what is in a data directory, as numbers with dots. PostgreSQL's files have their own. */
export type Formats = { journal: string; clickhouse: string }

const FILE = 'formats.json'

/** Refuses data of a newer program, and records newer formats of this one. The caller holds the directory. */
export function requireFormats(dataDir: string, own: Formats): void {
  const found = read(dataDir)
  const names = Object.keys(own) as (keyof Formats)[]
  const newer = names.find((name) => isNewer(found[name] ?? '', own[name]))
  if (newer)
    throw new OperatorError(
      `DATA_DIR (${dataDir}) has version ${found[newer]} of ${newer === 'journal' ? 'the click journal' : 'the embedded ClickHouse'}, and this program reads up to ${own[newer]}; start the version of Signpost that wrote it or a later one, or restore a backup to another directory.`,
    )
  if (names.every((name) => found[name] === own[name])) return
  const file = join(dataDir, FILE)
  writeFileSync(`${file}.next`, `${JSON.stringify(own)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.next`, file)
}

function read(dataDir: string): Partial<Formats> {
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as Partial<Formats>
  } catch {
    return {}
  }
}

function isNewer(found: string, own: string): boolean {
  const [a, b] = [found, own].map((version) => version.split('.').map(Number))
  const at = a!.findIndex((part, place) => part !== (b![place] ?? 0))
  return at !== -1 && a![at]! > (b![at] ?? 0)
}
