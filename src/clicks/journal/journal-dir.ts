import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'

/** Folder of the click journals of a data directory. */
export function toJournalDir({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'journal')
}
