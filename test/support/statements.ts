import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

/** A statement as a client sent it: the role of its connection, its text and its parameters. */
export type Statement = { role: string; text: string; params: (string | Buffer | null)[] }

export type StatementTap = {
  /** The same database, reached through the tap. */
  url: string
  /** The statements since the last call, by connection, in the order of their sending. */
  take(): Statement[][]
}

/** A proxy before PostgreSQL's socket that records every executed statement. */
export async function tapStatements(t: TestContext, postgresUrl: string): Promise<StatementTap> {
  const target = new URL(postgresUrl)
  const socketName = `.s.PGSQL.${target.searchParams.get('port') ?? (target.port || '5432')}`
  const realSocket = join(target.searchParams.get('host')!, socketName)
  const folder = mkdtempSync(join(tmpdir(), 'sp-tap-'))
  const connections = new Set<Reader>()
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(realSocket)
    const reader = createReader()
    connections.add(reader)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => socket.destroy())
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.on('data', (chunk: Buffer) => {
      reader.read(chunk)
      upstream.write(chunk)
    })
    upstream.on('data', (chunk) => client.write(chunk))
  })
  await new Promise<void>((resolve) => server.listen(join(folder, socketName), resolve))
  t.after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
    rmSync(folder, { recursive: true, force: true })
  })
  const url = new URL(postgresUrl)
  url.searchParams.set('host', folder)
  return {
    url: url.href,
    take: () =>
      Array.from(connections, (reader) => reader.take()).filter((sent) => sent.length > 0),
  }
}

type Reader = ReturnType<typeof createReader>

/** Reads the messages of a client: startup, Parse, Bind and Query (PostgreSQL, "Message Formats"). */
function createReader() {
  const texts = new Map<string, string>()
  let waiting = Buffer.alloc(0)
  let role: string | null = null
  let sent: Statement[] = []

  function read(chunk: Buffer): void {
    waiting = Buffer.concat([waiting, chunk])
    for (;;) {
      const head = role === null ? 0 : 1
      if (waiting.length < head + 4) return
      const length = head + waiting.readInt32BE(head)
      if (waiting.length < length) return
      const body = waiting.subarray(head + 4, length)
      if (role === null) role = readRole(body)
      else record(String.fromCharCode(waiting[0]!), body)
      waiting = waiting.subarray(length)
    }
  }

  function record(kind: string, body: Buffer): void {
    if (kind === 'P') {
      const [name, text] = strings(body, 0)
      texts.set(name!, text!)
    }
    if (kind === 'Q') sent.push({ role: role!, text: strings(body, 0)[0]!, params: [] })
    if (kind !== 'B') return
    const [portal, name] = strings(body, 0)
    const at = Buffer.byteLength(portal!) + Buffer.byteLength(name!) + 2
    sent.push({ role: role!, text: texts.get(name!)!, params: readParams(body, at) })
  }

  return {
    read,
    take() {
      const taken = sent
      sent = []
      return taken
    },
  }
}

function readRole(startup: Buffer): string {
  const words = strings(startup, 4)
  const options = words[words.indexOf('options') + 1] ?? ''
  return /-c role=(\S+)/.exec(options)?.[1] ?? ''
}

/** Zero-terminated texts. */
function strings(body: Buffer, from: number): string[] {
  return body.toString('utf8', from).split('\0')
}

/** Texts, and buffers for what was sent in the binary format. */
function readParams(body: Buffer, formatsAt: number): Statement['params'] {
  const formats = body.readInt16BE(formatsAt)
  const isBinary = (index: number) =>
    formats > 0 && body.readInt16BE(formatsAt + 2 + 2 * (formats > 1 ? index : 0)) === 1
  let at = formatsAt + 2 + 2 * formats
  const count = body.readInt16BE(at)
  at += 2
  return Array.from({ length: count }, (_, index) => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    const value = Buffer.from(body.subarray(at, at + length))
    at += length
    return isBinary(index) ? value : value.toString()
  })
}
