import { parentPort, workerData } from 'node:worker_threads'
import { openKeys } from '../../base/secrets.ts'
import { lowerThreadPriority } from '../../base/thread-priority.ts'
import { createAudit } from '../../services/audit.ts'
import { createKeepAnswer } from '../../services/kept-answers.ts'
import { createLimit } from '../../services/limits.ts'
import { createPictures } from '../../services/media/pictures.ts'
import { createUploads } from '../../services/media/uploads.ts'
import { createPlans } from '../../services/plans.ts'
import { Notices } from '../../storage/notices.ts'
import { createPools } from '../../storage/pools.ts'
import { toSentError } from '../../base/sent-errors.ts'
import type { FromThread, Order, ToThread } from './messages.ts'

/**
 * The thread that stores uploaded images. It has the bytes, talks to the process that decodes them, and writes to PostgreSQL
 * itself.
 */

/** Requests of one user or workspace at a time, and one more for the others. */
const MAX_CONNECTIONS = 6

// Before the first image, so that the process that decodes inherits it.
lowerThreadPriority()
const port = parentPort!
let clockOffsetMs = 0
const running = new Map<number, { aborting: AbortController; ended: Promise<void> }>()
const opening = new AsyncDisposableStack()
const { storeImage } = openUploads(workerData as Order)

port.on('message', (message: ToThread) => {
  if (message.type === 'stop') void stop()
  else if (message.type === 'abort') running.get(message.id)?.aborting.abort()
  else {
    const aborting = new AbortController()
    running.set(message.id, { aborting, ended: store(message, aborting.signal) })
  }
})

/** Never rejects. */
async function store(
  { id, who, bytes, filename, ...message }: ToThread & { type: 'store' },
  signal: AbortSignal,
): Promise<void> {
  clockOffsetMs = message.clockOffsetMs
  try {
    const image = { bytes: Buffer.from(bytes.buffer), filename }
    post({ type: 'stored', id, media: await storeImage(who, image, signal) })
  } catch (error) {
    post({ type: 'refused', id, error: toSentError(error) })
  }
  running.delete(id)
}

function openUploads({ databases, keys, plans, publicUrl }: Order) {
  const clock = () => Date.now() + clockOffsetMs
  // An upload changes nothing of which other parts are notified.
  const { openTenant } = createPools({ ...databases, notices: new Notices(null) }, opening)
  return createUploads({
    sql: openTenant('signpost-media', { maxConnections: MAX_CONNECTIONS }),
    clock,
    audit: createAudit(clock),
    limit: createLimit(clock, createPlans(plans.all, plans.initial)),
    keepAnswer: createKeepAnswer({ secrets: openKeys(keys), clock }),
    pictures: opening.use(createPictures()),
    toPublicUrl: (id) => `${publicUrl}${id}`,
  })
}

async function stop(): Promise<void> {
  await Promise.all(Array.from(running.values(), ({ ended }) => ended))
  await opening.disposeAsync()
  post({ type: 'done' })
}

function post(message: FromThread): void {
  port.postMessage(message)
}
