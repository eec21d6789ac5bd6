import type { Readable } from 'node:stream'

/** Calls `receive` with each line of a stream, without its end. */
export function onLines(stream: Readable, receive: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) receive(line)
  })
}
