import { request } from 'node:http'

export type HeaderLines = readonly (readonly [name: string, value: string])[]

export type RawAnswer = {
  status: number
  /** Without the headers of this connection, and without the date. */
  headers: Record<string, string | string[] | undefined>
  body: string
}

type RawRequest = {
  method?: string
  path: string
  headers?: HeaderLines
  body?: string | Buffer
  /** Sent after the body, which is then chunked. */
  trailers?: HeaderLines
  signal?: AbortSignal
}

/** Sends one request with its header lines exactly as given: spelling, order, duplicates, trailers. */
export function sendRaw(origin: string, raw: RawRequest): Promise<RawAnswer> {
  const { method = 'GET', path, headers = [], body, trailers = [], signal } = raw
  const { hostname, port, host } = new URL(origin)
  const framing: HeaderLines =
    body === undefined
      ? []
      : trailers.length > 0
        ? [['Transfer-Encoding', 'chunked']]
        : [['Content-Length', String(Buffer.byteLength(body))]]
  const lines = [['Host', host] as const, ...headers, ...framing]
  return new Promise((resolve, reject) => {
    const sent = request(
      // `localhost` may be ::1, where a server on 127.0.0.1 need not listen.
      {
        hostname,
        port,
        path,
        method,
        headers: lines.flat(),
        agent: false,
        ...(signal && { signal }),
      },
      (answer) => {
        answer.setEncoding('utf8')
        let text = ''
        answer.on('data', (chunk) => (text += String(chunk)))
        answer.on('error', reject)
        answer.on('end', () => {
          const { connection: _, 'keep-alive': __, date: ___, ...rest } = answer.headers
          resolve({ status: answer.statusCode!, headers: rest, body: text })
        })
      },
    )
    sent.on('error', reject)
    if (trailers.length > 0) sent.addTrailers(trailers as [string, string][])
    sent.end(body)
  })
}
