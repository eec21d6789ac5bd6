import { join } from 'node:path'
import { findRuntimeDir } from '../platform/storage/embedded/runtime-dir.ts'

/** In the runtime directory; the folder is closed to every other user. */
export const OPERATOR_SOCKET = { folder: 'operator', file: 'operator.sock' }

/** Path of the socket on which the server of a data directory serves the command line; null: no server ever ran. */
export function operatorSocket(dataDir: string): string | null {
  const runtimeDir = findRuntimeDir(dataDir)
  return runtimeDir && join(runtimeDir, OPERATOR_SOCKET.folder, OPERATOR_SOCKET.file)
}
