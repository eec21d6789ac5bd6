/** A notification of PostgreSQL: a channel and its payload. */
export type Notice = { readonly channel: string; readonly payload: string }

/** Sends notifications through NOTIFY; null in an installation of one process, which has no other to notify. */
export type SendNotices = ((notices: readonly Notice[]) => Promise<unknown>) | null

const GATHER_MS = 5

/**
 * Notifications of committed changes. This process receives them at once; the others receive those of
 * some milliseconds together, since each commit with a NOTIFY takes a lock of the whole database server.
 * They only speed up what polling finds, so one that is lost delays its change and loses nothing.
 */
export class Notices {
  readonly #send: SendNotices
  readonly #receivers = new Map<string, ((payload: string) => void)[]>()
  /** Texts of channel and payload, so that a notice is sent once. */
  #gathered = new Map<string, Notice>()

  constructor(send: SendNotices) {
    this.#send = send
  }

  /** Calls `receive` for every notice of this process. */
  subscribe(channel: string, receive: (payload: string) => void): void {
    const receivers = this.#receivers.get(channel)
    if (receivers) receivers.push(receive)
    else this.#receivers.set(channel, [receive])
  }

  publish(notices: readonly Notice[]): void {
    for (const { channel, payload } of notices)
      for (const receive of this.#receivers.get(channel) ?? []) receive(payload)
    if (this.#send === null) return
    if (this.#gathered.size === 0) setTimeout(() => this.#flush(), GATHER_MS).unref()
    for (const notice of notices) this.#gathered.set(`${notice.channel}\n${notice.payload}`, notice)
  }

  #flush(): void {
    const notices = [...this.#gathered.values()]
    this.#gathered = new Map()
    // Polling finds the changes of notices that a lost connection took with it.
    this.#send?.(notices).catch(() => {})
  }
}
