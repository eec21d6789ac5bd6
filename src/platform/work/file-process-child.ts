import type { FromFileProcess, ToFileProcess } from './file-process.ts'
import { toSentError } from '../http/sent-errors.ts'

type Values = AsyncGenerator | Generator

/** In a process of `FileProcesses`: sends the values that `read` makes of each file, one for each request. */
export function answerFiles(read: (bytes: Buffer, asked: never) => Values): void {
  const parts: Uint8Array[] = []
  let values: Values
  process.on('message', (message: ToFileProcess) => {
    if (message instanceof Uint8Array) {
      parts.push(message)
      return
    }
    if (message !== 'next') values = read(Buffer.concat(parts.splice(0)), message.asked as never)
    void answer(values)
  })
}

/** Never rejects. */
async function answer(values: Values): Promise<void> {
  try {
    const { done, value } = await values.next()
    send(done ? 'end' : { value })
  } catch (error) {
    send({ error: toSentError(error) })
  }
}

function send(message: FromFileProcess): void {
  process.send!(message)
}
