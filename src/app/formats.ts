import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { JOURNAL_VERSION } from '../clicks/journal/format.ts'
import type { Formats } from '../platform/storage/installation/formats.ts'

/** Formats that this program writes to a data directory. */
export function ownFormats(): Formats {
  // The package exports no version, and its file lies two folders above its entry point.
  const entry = createRequire(import.meta.url).resolve('chdb')
  const [folder] = entry.split(/(?<=\/chdb)\//)
  const { version } = JSON.parse(readFileSync(join(folder!, 'package.json'), 'utf8')) as {
    version: string
  }
  return { journal: String(JOURNAL_VERSION), clickhouse: version }
}
