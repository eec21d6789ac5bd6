import type { ClickData } from '../../platform/facts/click-data.ts'
import { paced, WakeSignal } from '../../platform/core/service.ts'
import type { Topic } from './live-rows.ts'

/** A click as it is sent, and the number of its segment. */
export type LiveClick = { arrival: number; text: string }

/** Clicks that wait for a slow reader; their texts are shared with other streams of the same topic. */
const MAX_WAITING = 200
const PING_EVERY_MS = 10_000
/** Milliseconds after which a browser connects again. */
const RETRY_MS = 2_000

/** One client of `GET /analytics/live`: what it was not sent yet. */
export class LiveStream {
  readonly topic: Topic
  /** Clicks of earlier segments counted before the stream began. */
  #after = -1
  #waiting: LiveClick[] = []
  /** Clicks that are left out since the last part; null: their number is unknown. */
  #skipped: number | null = 0
  #isEnded = false
  readonly #changes = new WakeSignal()

  constructor(topic: Topic) {
    this.topic = topic
  }

  beginAfter(arrival: number): void {
    this.#after = arrival
  }

  push(clicks: readonly LiveClick[]): void {
    if (clicks.length === 0 || this.#isEnded) return
    this.#waiting.push(...clicks)
    const over = this.#waiting.length - MAX_WAITING
    if (over > 0) {
      const dropped = this.#waiting.splice(0, over)
      this.skip(dropped.filter(({ arrival }) => arrival > this.#after).length)
    }
    this.#changes.wake()
  }

  skip(clicks: number | null): void {
    this.#skipped = clicks === null || this.#skipped === null ? null : this.#skipped + clicks
    this.#changes.wake()
  }

  end(): void {
    this.#isEnded = true
    this.#changes.wake()
  }

  /** The parts of the answer: events in the order in which they happened, and pings. */
  async *write(missed: AsyncIterable<string>, untilMs: number): AsyncGenerator<string> {
    yield `retry: ${RETRY_MS}\n\n`
    yield* missed
    let pingMs = performance.now() + paced(PING_EVERY_MS)
    for (;;) {
      const seen = this.#changes.count
      const isLast = this.#isEnded || performance.now() >= untilMs
      const part = this.#take()
      if (part !== '') yield part
      if (isLast) return
      const nowMs = performance.now()
      if (nowMs >= pingMs) {
        pingMs = nowMs + paced(PING_EVERY_MS)
        yield toEvent('ping', { at: new Date().toISOString() })
      }
      await this.#changes.givenSince(seen, Math.max(0, Math.min(pingMs, untilMs) - nowMs))
    }
  }

  #take(): string {
    const skipped = this.#skipped === 0 ? '' : toSkipped(this.#skipped)
    const clicks = this.#waiting.filter(({ arrival }) => arrival > this.#after)
    this.#waiting = []
    this.#skipped = 0
    return skipped + clicks.map(({ text }) => text).join('')
  }
}

export function toClickEvent(data: ClickData): string {
  return `id: ${data.clickId}\n${toEvent('click', data)}`
}

/** @param clicks null: their number is unknown */
export function toSkipped(clicks: number | null): string {
  return toEvent('skipped', { clicks })
}

/** JSON has no line break outside its texts, in which they are escaped. */
function toEvent(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`
}
