import { join } from 'node:path'
import { openLog } from '../../../src/platform/core/log.ts'
import { openOperatorSocket } from '../../../src/operator/socket.ts'
import {
  openRuntimeDir,
  openSocketFolder,
} from '../../../src/platform/storage/embedded/runtime-dir.ts'

/** Listens for the command line of a data directory, says where, and closes on SIGTERM. */
const runtimeDir = await openRuntimeDir(process.argv[2] ?? '')
const path = join(openSocketFolder(runtimeDir, 'operator'), 'operator.sock')
const operations = { where: async () => ({ runtimeDir }) }
const socket = await openOperatorSocket(path, operations, openLog('silent'))
process.once('SIGTERM', () => void socket[Symbol.asyncDispose]())
process.stdout.write(`${runtimeDir}\n`)
