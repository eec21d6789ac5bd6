import { parentPort, workerData } from 'node:worker_threads'

/**
 * The thread of bench/media.ts that uploads photos one after the other, so that the garbage of its requests delays no latency that
 * the main thread measures.
 */
export type UploaderInput = { origin: string; key: string; photo: Uint8Array }
export type UploadsQuestion = { seconds: number; name: string }
/** Uploads, and those with another status than 201. */
export type Uploads = { uploads: number; failed: number }

const { origin, key, photo } = workerData as UploaderInput

parentPort!.on('message', (question: UploadsQuestion) => {
  // An unhandled rejection ends the thread with an error, and the bench with it.
  void upload(question).then((answers) => parentPort!.postMessage(answers))
})

async function upload({ seconds, name }: UploadsQuestion): Promise<Uploads> {
  const untilMs = performance.now() + seconds * 1_000
  const answers: Uploads = { uploads: 0, failed: 0 }
  while (performance.now() < untilMs) {
    const response = await fetch(`${origin}/v1/media`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'image/jpeg' },
      body: withComment(`${name}-${answers.uploads}`),
    })
    await response.arrayBuffer()
    answers.uploads++
    if (response.status !== 201) answers.failed++
  }
  return answers
}

/** The photo with a comment of its own, since the same bytes are decoded once. */
function withComment(text: string): Uint8Array<ArrayBuffer> {
  const comment = Buffer.alloc(4 + text.length)
  comment.writeUInt16BE(0xfffe)
  comment.writeUInt16BE(2 + text.length, 2)
  comment.write(text, 4, 'latin1')
  const bytes = new Uint8Array(photo.length + comment.length)
  bytes.set(photo.subarray(0, 2))
  bytes.set(comment, 2)
  bytes.set(photo.subarray(2), 2 + comment.length)
  return bytes
}
