import { PLACES } from '../../platform/limits/places.ts'
import { FileProcessEnded, FileProcesses } from '../../platform/work/file-process.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { createFileTurns } from '../../platform/work/file-turns.ts'
import { fileError } from './table.ts'
import type { Draft } from './drafts.ts'
import type { FileHead, FileRequest } from './file-process.ts'

const FILE = new URL('file-process.ts', import.meta.url)
const DEADLINE_MS = 10_000
/** Twice what the largest file within the limits takes. */
const MAX_HEAP_MB = 192

type ImportFile = FileHead & { pieces: Draft[][] }
export type ImportFiles = ReturnType<typeof createImportFiles>

/** Reads each file in a separate process, since a few kilobytes of text may take seconds or gigabytes. */
export function createImportFiles({ deadlineMs = DEADLINE_MS } = {}) {
  const processes = new FileProcesses<FileRequest, FileHead | string>(FILE, {
    deadlineMs,
    maxHeapMb: MAX_HEAP_MB,
  })
  const turns = createFileTurns({ places: PLACES.imports, plural: 'files' })

  function read(
    principal: Principal,
    bytes: Buffer,
    request: FileRequest,
    signal?: AbortSignal,
  ): Promise<ImportFile> {
    return turns.run(principal, signal, async () => {
      try {
        const toPart = (part: FileHead | string) =>
          typeof part === 'string' ? (JSON.parse(part) as Draft[]) : part
        const [head, ...pieces] = await Array.fromAsync(processes.read(bytes, request), toPart)
        return { ...(head as FileHead), pieces: pieces as Draft[][] }
      } catch (error) {
        if (!(error instanceof FileProcessEnded)) throw error
        if (error.isLate) throw fileError('The file takes too long to read.', 'time')
        throw fileError('The file takes too much memory to read.', 'memory')
      }
    })
  }

  return { read, [Symbol.asyncDispose]: () => processes.close() }
}
