import { createReadStream } from 'node:fs'
import { cp, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { listJournals, listSegments, segmentName } from '../../clicks/journal/format.ts'
import { writeFileOf } from './files.ts'
import type { BackupFile, Manifest } from './manifest.ts'

const JOURNAL = 'journal'
const QUARANTINE = 'quarantine'

/**
 * Copies the segments of all journals while they are written and shipped. A segment that is gone is in both
 * databases, and one that is shipped later is skipped when the copy is shipped. A torn end of an open one is
 * cut off later, as after a kill.
 */
export async function copyJournals(dataDir: string, directory: string): Promise<BackupFile[]> {
  const root = join(dataDir, JOURNAL)
  const files: BackupFile[] = []
  for (const journalId of await listJournals(root)) {
    const copied = new Set<number>()
    const segments = await listSegments(join(root, journalId)).catch(() => [])
    for (const { sequence, state } of segments) {
      if (state === 'rows' || copied.has(sequence)) continue
      const file = await copySegment(root, directory, journalId, sequence)
      if (file) files.push(file)
      copied.add(sequence)
    }
  }
  return files
}

export async function copyQuarantine(dataDir: string, directory: string): Promise<BackupFile[]> {
  const names = await readdir(join(dataDir, QUARANTINE)).catch(() => [])
  const files: BackupFile[] = []
  for (const name of names) {
    const source = createReadStream(join(dataDir, QUARANTINE, name))
    files.push(await writeFileOf(directory, `${QUARANTINE}/${name}`, source))
  }
  return files
}

export async function restoreFiles(
  directory: string,
  { files }: Manifest,
  dataDir: string,
): Promise<void> {
  for (const { path } of files)
    if (path.startsWith(`${JOURNAL}/`) || path.startsWith(`${QUARANTINE}/`))
      await cp(join(directory, path), join(dataDir, path))
}

/** The open file of a segment may become the sealed one at any time. */
async function copySegment(root: string, directory: string, journalId: string, sequence: number) {
  const path = `${JOURNAL}/${journalId}/${segmentName(sequence, 'sealed')}`
  for (const state of ['open', 'sealed'] as const) {
    const name = segmentName(sequence, state)
    try {
      const source = createReadStream(join(root, journalId, name))
      await new Promise((resolve, reject) => source.once('open', resolve).once('error', reject))
      const copied = state === 'open' ? path.replace('.sealed', '.open') : path
      return await writeFileOf(directory, copied, source)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return null
}
