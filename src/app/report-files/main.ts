import { parentPort, workerData } from 'node:worker_threads'
import { lowerThreadPriority } from '../../base/thread-priority.ts'
import { writeFile, type FilePiece } from '../../services/reports/write-file.ts'
import { toSentError } from '../../base/sent-errors.ts'
import type { FromThread, Order, ToThread } from './messages.ts'
import { openSources } from './sources.ts'

/**
 * The thread that makes the files of reports: it reads their rows from the databases, and stores the sealed pieces. The main thread
 * asks for each piece, and decides whether the run goes on.
 */

lowerThreadPriority()

const port = parentPort!
const files = new Map<number, AsyncGenerator<FilePiece>>()
const stopped = Promise.withResolvers<void>()
let clockOffsetMs = 0

const opening = new AsyncDisposableStack()
const sources = openSources(workerData as Order, () => Date.now() + clockOffsetMs, opening)
port.on('message', receive)
await stopped.promise
await opening.disposeAsync()
// The main thread ends this one, which a connection that is being closed would keep alive.
post({ type: 'done' })

function receive(message: ToThread): void {
  switch (message.type) {
    case 'begin':
      clockOffsetMs = message.clockOffsetMs
      return void files.set(
        message.file,
        writeFile(sources, message.who, message.asked, message.target),
      )
    case 'next':
      return void sendNext(message.file)
    case 'end':
      return void end(message.file)
    case 'stop':
      return stopped.resolve()
  }
}

async function sendNext(file: number): Promise<void> {
  try {
    const { value } = await files.get(file)!.next()
    post({ type: 'piece', file, piece: (value as FilePiece | undefined) ?? null })
  } catch (error) {
    post({ type: 'refused', file, error: toSentError(error) })
  }
}

async function end(file: number): Promise<void> {
  const pieces = files.get(file)
  files.delete(file)
  await pieces?.return(undefined)
}

function post(message: FromThread): void {
  port.postMessage(message)
}
