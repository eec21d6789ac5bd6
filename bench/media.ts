import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sharp from 'sharp'
import { isSound, median, spread } from './support/figures.ts'
import { visitBesideComputing } from './support/floor.ts'
import { sendLoad, sendLoadDuring, type Measured } from './support/keep-alive.ts'
import { readOptions } from './support/options.ts'
import { awaitLink, START_OPTIONS, startProgram } from './support/program-process.ts'
import type { UploaderInput, Uploads, UploadsQuestion } from './support/uploader-thread.ts'

/**
 * Compares redirects at a steady rate beside a client that uploads photos one after the other, each decoded and encoded
 * in three sizes, with the same redirects alone, in pairs. The figure is the median over the pairs of the p99 beside the
 * uploads by the p99 without them; beside it is the same ratio for a process that only computes.
 *
 *   node bench/media.ts [--pairs 5] [--seconds 5] [--megapixels 12]
 *
 * It prints no figure and ends with 1 when a redirect or an upload fails.
 */
const { pairs, seconds, megapixels } = readOptions({ pairs: 5, seconds: 5, megapixels: 12 })

type Beside = Uploads & { measured: Measured }

const CONNECTIONS = 8
const EVERY_MS = 8

const photo = await takePhoto()
await using program = await startProgram({
  nodeOptions: START_OPTIONS,
  settings: { RATE_LIMIT_API: '100000000' },
})
const { origin, port } = program
const [key = ''] = program.keys
const uploader = new Worker(new URL('support/uploader-thread.ts', import.meta.url), {
  workerData: { origin, key, photo } satisfies UploaderInput,
})
await createLink()
await awaitLink(`${origin}/visited`)
// The first pair warms up.
await visit(Math.min(1, seconds))
await visitBesideUploads(Math.min(1, seconds), 'warm-up')
const measured: { alone: Measured; beside: Beside; floor: Measured }[] = []
for (let at = 0; at < pairs; at++) {
  const alone = await visit(seconds)
  const beside = await visitBesideUploads(seconds, `pair-${at}`)
  measured.push({ alone, beside, floor: await visitBesideComputing(() => visit(seconds)) })
}
report()
await uploader.terminate()

function report(): void {
  const failures = measured.reduce(
    (sum, { alone, beside, floor }) =>
      sum + alone.failures + beside.measured.failures + beside.failed + floor.failures,
    0,
  )
  if (!isSound('redirects beside uploads', failures)) return
  const before = measured.map(({ alone }) => alone.p99Ms)
  const after = measured.map(({ beside }) => beside.measured.p99Ms)
  const floors = measured.map(({ alone, floor }) => floor.p99Ms / alone.p99Ms)
  const uploads = measured.reduce((sum, { beside }) => sum + beside.uploads, 0)
  console.log(
    `redirects beside ${uploads} uploads of ${megapixels} megapixels, ${(photo.length / 1e6).toFixed(1)} MB each: p99 × ${spread(
      after.map((p99Ms, i) => p99Ms / before[i]!),
    )}, ${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms, at ${median(
      measured.map(({ beside }) => beside.measured.perSecond),
    ).toFixed(0)}/s; × ${spread(floors)} beside a process that only computes`,
  )
}

/** A JPEG with the grain of a photo. */
function takePhoto(): Promise<Buffer> {
  const width = Math.round(Math.sqrt((megapixels * 1e6 * 4) / 3))
  const height = Math.round((width * 3) / 4)
  const noise = { type: 'gaussian', mean: 120, sigma: 8 } as const
  return sharp({ create: { width, height, channels: 3, background: '#888', noise } })
    .jpeg({ quality: 70 })
    .toBuffer()
}

function visit(durationSeconds: number): Promise<Measured> {
  return sendLoad({ ...toLoad(), seconds: durationSeconds })
}

/** Visits for so long, and until the upload that runs then has its answer. */
async function visitBesideUploads(durationSeconds: number, name: string): Promise<Beside> {
  const uploading = () => upload({ seconds: durationSeconds, name })
  const beside = await sendLoadDuring(toLoad(), uploading)
  return { measured: beside.measured, ...beside.result }
}

function toLoad() {
  return {
    ...{ port, connections: CONNECTIONS, everyMs: EVERY_MS },
    request: 'GET /visited HTTP/1.1\r\nHost: localhost\r\n\r\n',
    expected: 'HTTP/1.1 302',
  }
}

async function upload(question: UploadsQuestion): Promise<Uploads> {
  uploader.postMessage(question)
  const [answers] = (await once(uploader, 'message')) as [Uploads]
  return answers
}

async function createLink(): Promise<void> {
  const { status } = await fetch(`${origin}/v1/links`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'A', slug: 'visited', destinationUrl: 'https://example.com/' }),
  })
  if (status !== 201) throw new Error(`the link was not created: ${status}`)
}
