/** A notification of PostgreSQL: a channel and its payload. */
export type Notice = { readonly channel: string; readonly payload: string }

/** Sends notifications through NOTIFY; null in an installation of one process, which has no other to notify. */
export type SendNotices = ((notices: readonly Notice[]) => Promise<unknown>) | null

/** What receives the notices of a channel, from this process at once and from the others through LISTEN. */
export type Subscriber = {
  /** A promise, if the change counts as applied only later. */
  onNotice: (payload: string) => Promise<void> | void
  /** Notices of other processes arrive from now on; earlier ones may have been missed. */
  onConnected?: () => void
  /** Every change that was committed before `sentAtMs` (`performance.now()`) has arrived. */
  onConfirmed?: (sentAtMs: number) => void
  /** Notices of other processes no longer arrive. */
  onDisconnected?: () => void
}

const GATHER_MS = 5

/**
 * Notifications of committed changes. This process receives its own at once; the others receive those of
 * some milliseconds together, since each commit with a NOTIFY takes a lock of the whole database server.
 * They only speed up what polling finds, so one that is lost delays its change and loses nothing.
 */
export class Notices {
  readonly #send: SendNotices
  readonly #subscribers = new Map<string, Subscriber[]>()
  /** Texts of channel and payload, so that a notice is sent once. */
  #gathered = new Map<string, Notice>()

  constructor(send: SendNotices) {
    this.#send = send
  }

  get channels(): readonly string[] {
    return [...this.#subscribers.keys()]
  }

  get subscribers(): readonly Subscriber[] {
    return [...this.#subscribers.values()].flat()
  }

  subscribe(channel: string, subscriber: Subscriber): void {
    const others = this.#subscribers.get(channel)
    if (others) others.push(subscriber)
    else this.#subscribers.set(channel, [subscriber])
  }

  /** Resolves once the subscribers of this process have applied the notices; the others are not waited for. */
  async publish(notices: readonly Notice[]): Promise<void> {
    const applied = notices.map((notice) => this.receive(notice))
    if (this.#send !== null) this.#gather(notices)
    await Promise.all(applied)
  }

  /** Hands a notice to the subscribers of its channel, and resolves once they have applied it. */
  async receive({ channel, payload }: Notice): Promise<void> {
    const subscribers = this.#subscribers.get(channel) ?? []
    await Promise.all(subscribers.map(async ({ onNotice }) => onNotice(payload)))
  }

  #gather(notices: readonly Notice[]): void {
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
