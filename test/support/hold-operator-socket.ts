import { openLog } from '../../src/platform/core/log.ts'
import { openOperatorSocket } from '../../src/operator/socket.ts'
import { openRuntimeDir } from '../../src/platform/storage/embedded/runtime-dir.ts'

/** Listens for the command line of a data directory, says where, and closes on SIGTERM. */
const dataDir = process.argv[2] ?? ''
const runtimeDir = await openRuntimeDir(dataDir)
const operations = { where: async () => ({ runtimeDir }) }
const socket = await openOperatorSocket(dataDir, operations, openLog('silent'))
process.once('SIGTERM', () => void socket[Symbol.asyncDispose]())
process.stdout.write(`${runtimeDir}\n`)
