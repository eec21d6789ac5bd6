import { rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { sleep, withinMs } from '../../platform/core/service.ts'
import type { Readable } from 'node:stream'

/**
 * Changes of links, from the server process to the redirect processes of this machine, over a unix socket:
 *
 *   server   ──[number, keys]──▶ redirect process   forgets the links
 *            ◀──────number───── ·
 *            ◀──────sealed───── ·                   a segment of its journal is complete
 *
 * A change is answered once each redirect process has forgotten the link, so that its author's next visit finds it.
 * The connection of one that does not answer in time is closed; it reads the change from PostgreSQL.
 */

const ANSWER_MS = 250
const RETRY_MS = 50
const CONNECT_MS = 1_000
const SEALED = 'sealed'

/** `waiting`: announcements without a reply, by number. */
type Follower = { socket: Socket; waiting: Map<number, () => void> }

/**
 * The server's side.
 * @param onSealed called when a segment is complete, and when a redirect process comes or goes
 */
export async function openLinkAnnouncements(path: string, onSealed: () => void) {
  const followers = new Set<Follower>()
  let number = 0
  let keys = new Set<string>()
  let sent = Promise.resolve()

  const server = createServer((socket) => {
    const follower: Follower = { socket, waiting: new Map() }
    followers.add(follower)
    onSealed()
    onLines(socket, (line) => {
      if (line === SEALED) onSealed()
      else follower.waiting.get(Number(line))?.()
    })
    socket.on('error', () => {})
    socket.once('close', () => {
      followers.delete(follower)
      for (const answer of follower.waiting.values()) answer()
      onSealed()
    })
  })

  /**
   * Resolves once each redirect process has dropped the link, or all links of a workspace (`*<workspace
   * id>`).
   */
  function announce(key: string): Promise<void> {
    if (followers.size === 0) return Promise.resolve()
    // Announcements of one turn are sent together.
    if (keys.size === 0) sent = new Promise((resolve) => setImmediate(() => resolve(send())))
    keys.add(key)
    return sent
  }

  async function send(): Promise<void> {
    const line = `${JSON.stringify([++number, [...keys]])}\n`
    keys = new Set()
    await Promise.all([...followers].map((follower) => announceTo(follower, number, line)))
  }

  async function announceTo(follower: Follower, id: number, line: string): Promise<void> {
    const answered = new Promise<void>((resolve) => follower.waiting.set(id, resolve))
    follower.socket.write(line)
    await withinMs(answered, ANSWER_MS).catch(() => follower.socket.destroy())
    follower.waiting.delete(id)
  }

  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    announce,
    [Symbol.asyncDispose]: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const { socket } of followers) socket.destroy()
      await closed
    },
  }
}

/** A redirect process's side. Reconnects until it is disposed. */
export class LinkChangeReceiver {
  readonly #path: string
  readonly #onKey: (key: string) => void
  readonly #over = new AbortController()
  #connecting: Promise<boolean> | null = null
  #socket: Socket | null = null

  constructor(path: string, onKey: (key: string) => void) {
    this.#path = path
    this.#onKey = onKey
    void this.connect()
  }

  get isConnected(): boolean {
    return this.#socket !== null
  }

  /**
   * A process forwards requests only while it receives changes, so that the next visit sees what the
   * request changed.
   * @returns whether the server was reached
   */
  connect(): Promise<boolean> {
    if (this.#socket !== null) return Promise.resolve(true)
    this.#connecting ??= this.#connect().finally(() => (this.#connecting = null))
    return this.#connecting
  }

  noteSealed(): void {
    this.#socket?.write(`${SEALED}\n`)
  }

  [Symbol.dispose](): void {
    this.#over.abort()
    this.#socket?.destroy()
  }

  async #connect(): Promise<boolean> {
    if (this.#over.signal.aborted) return false
    const socket = connect(this.#path)
    const connected = new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('close', () => resolve(false))
    })
    socket.on('error', () => {})
    socket.once('close', () => void this.#reconnect())
    const isConnected = await withinMs(connected, CONNECT_MS).catch(() => false)
    if (!isConnected || this.#over.signal.aborted) {
      socket.destroy()
      return false
    }
    this.#socket = socket
    onLines(socket, (line) => {
      const [number, keys] = JSON.parse(line) as [number, string[]]
      for (const key of keys) this.#onKey(key)
      socket.write(`${number}\n`)
    })
    return true
  }

  async #reconnect(): Promise<void> {
    this.#socket = null
    await sleep(RETRY_MS, this.#over.signal)
    await this.connect()
  }
}

/** Calls `receive` with each line of a stream, without its end. */
function onLines(stream: Readable, receive: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop()!
    for (const line of lines) receive(line)
  })
}
