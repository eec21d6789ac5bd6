export type Notice = { readonly channel: string; readonly payload: string }

type SendNotices = ((notices: readonly Notice[]) => Promise<unknown>) | null

type Subscriber = {
  onNotice: (payload: string) => Promise<void> | void
  /** From now on notices of other processes arrive; earlier ones may be missed. */
  onConnected?: () => void
  /** Every change committed before `sentAtMs` (`performance.now()`) has arrived. */
  onConfirmed?: (sentAtMs: number) => void
  onDisconnected?: () => void
}

const GATHER_MS = 5

/**
 * This process gets its own notices at once. Other processes get them in batches of a few milliseconds, since each
 * commit with a NOTIFY locks the whole database server. They only speed up what polling finds.
 */
export class Notices {
  readonly #send: SendNotices
  readonly #subscribers = new Map<string, Subscriber[]>()
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

  async publish(notices: readonly Notice[]): Promise<void> {
    const applied = notices.map((notice) => this.receive(notice))
    if (this.#send !== null) this.#gather(notices)
    await Promise.all(applied)
  }

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
    // Polling finds changes whose notices were lost with a connection.
    this.#send?.(notices).catch(() => {})
  }
}
