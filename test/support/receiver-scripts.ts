import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import type { Exchange, Script } from './receiver.ts'

type AnswerOptions = {
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array
  /** Before the first byte. */
  delayMs?: number
}

/** A well-formed answer; the connection stays open for the next request. */
export function answer(status: number, options: AnswerOptions = {}): Script {
  return {
    async run(exchange) {
      await pause(exchange, options.delayMs ?? 0)
      await writeAnswer(exchange, status, options)
    },
  }
}

/** The answer comes once `time` has; until then the request is on the wire, however long that takes. */
export function answerOnce(time: Promise<void>, status: number): Script {
  return {
    async run(exchange) {
      await time
      await writeAnswer(exchange, status, {})
    },
  }
}

/** Exactly these bytes, then FIN unless the connection stays open. */
export function raw(bytes: string | Uint8Array, { staysOpen = false } = {}): Script {
  return {
    async run(exchange) {
      await exchange.write(bytes)
      if (!staysOpen) exchange.end()
    },
  }
}

/** Takes the request and never answers. */
export function hang(): Script {
  return {
    run: ({ signal }) =>
      new Promise((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve())
      }),
  }
}

/** FIN, or RST, without a byte. */
export function closeBeforeHead({ isReset = false } = {}): Script {
  return { run: (exchange) => (isReset ? exchange.reset() : exchange.end()) }
}

/** 200 and half of the promised body, then the end. */
export function closeMidBody({ isReset = false } = {}): Script {
  return {
    async run(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it')
      if (isReset) exchange.reset()
      else exchange.end()
    },
  }
}

export function hangMidHead(): Script {
  return {
    async run(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ncontent-ty')
      await hang().run(exchange)
    },
  }
}

export function hangMidBody(): Script {
  return {
    async run(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it')
      await hang().run(exchange)
    },
  }
}

/** A head that arrives byte by byte. */
export function dripHead(everyMs: number): Script {
  const head = `HTTP/1.1 200 OK\r\nx-drip: ${'d'.repeat(8_000)}\r\ncontent-length: 0\r\n\r\n`
  return { run: (exchange) => drip(exchange, head, everyMs) }
}

/** A 200 at once, whose body arrives byte by byte. */
export function dripBody(everyMs: number): Script {
  return {
    async run(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n')
      await drip(exchange, 'd'.repeat(100_000), everyMs)
    },
  }
}

/** A chunked body without end, as fast as the client takes it. */
export function endlessBody(): Script {
  const chunk = `10000\r\n${'e'.repeat(65_536)}\r\n`
  return {
    async run(exchange) {
      await exchange.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      while (await exchange.write(chunk));
    },
  }
}

/** A small body that says it is gzip, and is: of this many zeros. */
export function gzipBomb(inflatedBytes = 64 * 1_048_576): Script {
  const body = gzipSync(Buffer.alloc(inflatedBytes), { level: 9 })
  return answer(200, { headers: { 'content-encoding': 'gzip' }, body })
}

export function hugeHeader(bytes = 40_960): Script {
  return answer(200, { headers: { 'x-huge': 'h'.repeat(bytes) } })
}

export function manyHeaders(count = 1_000): Script {
  const headers = Array.from({ length: count }, (_, i) => [`x-${i}`, String(i)])
  return answer(200, { headers: Object.fromEntries(headers) as Record<string, string> })
}

/** A body that ends with the connection. */
export function withoutLength(body: string | Uint8Array = 'ok'): Script {
  return raw(Buffer.concat([Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), Buffer.from(body)]))
}

/** Both lengths at once, as request smuggling does it. */
export function lengthAndChunked(): Script {
  return raw(
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
  )
}

export function http10(): Script {
  return raw('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nok')
}

export function sshBanner(): Script {
  return raw('SSH-2.0-OpenSSH_9.6\r\n', { staysOpen: true })
}

/** Interim answers (100, 102, 103) before the 200. */
export function interim(status: number, times = 1): Script {
  return {
    async run(exchange) {
      for (let i = 0; i < times; i++) await exchange.write(`HTTP/1.1 ${status} Interim\r\n\r\n`)
      await writeAnswer(exchange, 200, {})
    },
  }
}

/** 101, as if we had asked for another protocol. */
export function switchProtocols(): Script {
  return raw(
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
    {
      staysOpen: true,
    },
  )
}

/** 200 before the body is read, then RST. */
export function answerUnreadThenReset(): Script {
  return {
    at: 'head',
    async run(exchange) {
      await writeAnswer(exchange, 200, {})
      await pause(exchange, 20)
      exchange.reset()
    },
  }
}

/** The first request on a socket is answered; a second one on it meets a RST: the keep-alive race. */
export function resetOnReuse(): Script {
  return {
    run: (exchange) =>
      exchange.request.turn > 1 ? exchange.reset() : writeAnswer(exchange, 200, {}).then(() => {}),
  }
}

/** Answers, and closes the idle connection without having announced it. */
export function closeWhenIdle(afterMs: number): Script {
  return {
    async run(exchange) {
      await writeAnswer(exchange, 200, {})
      await pause(exchange, afterMs)
      exchange.end()
    },
  }
}

/** Bodies that no text column takes as they are. */
export const HOSTILE_BODIES: Readonly<Record<string, Uint8Array>> = {
  nul: Buffer.from('before\0after'),
  invalidUtf8: Buffer.from([0x61, 0xff, 0xfe, 0xc3, 0x28, 0x62]),
  /** A surrogate alone, in the three bytes that UTF-8 forbids. */
  loneSurrogate: Buffer.from([0x61, 0xed, 0xa0, 0x80, 0x62]),
  /** The 4,000th and 4,001st UTF-16 unit are one character. */
  pairAtTheCut: Buffer.from(`${'a'.repeat(3_999)}🚀 and more`),
  binary: Buffer.from(Array.from({ length: 4_096 }, (_, i) => i & 255)),
}

function writeAnswer(
  exchange: Exchange,
  status: number,
  { headers = {}, body = status === 204 || status === 304 ? '' : 'ok' }: AnswerOptions,
): Promise<boolean> {
  const bytes = Buffer.from(body)
  const hasBody = status >= 200 && status !== 204 && status !== 304
  const lines = [
    `HTTP/1.1 ${status} Scripted`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(hasBody ? [`content-length: ${bytes.length}`] : []),
  ]
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  return exchange.write(hasBody ? Buffer.concat([head, bytes]) : head)
}

async function drip(exchange: Exchange, text: string, everyMs: number): Promise<void> {
  for (const character of text) {
    if (!(await exchange.write(character))) return
    await pause(exchange, everyMs)
  }
}

/** Ends early with the socket. */
async function pause({ signal }: Exchange, ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal, ref: true }).catch(() => {})
}
