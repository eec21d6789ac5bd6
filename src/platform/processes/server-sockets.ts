import { join } from 'node:path'
import { openRuntimeDir, openSocketFolder } from '../storage/embedded/runtime-dir.ts'

/** In a folder that only the system user of the server can enter. */
export type ServerSockets = {
  requests: string
  announcements: string
}

export async function openServerSockets(dataDir: string): Promise<ServerSockets> {
  const folder = openSocketFolder(await openRuntimeDir(dataDir), 'server')
  return { requests: join(folder, 'requests.sock'), announcements: join(folder, 'changes.sock') }
}
