import { statfsSync } from 'node:fs'
import { clickHouseFault } from './clickhouse-request.ts'
import { toStatement } from './clickhouse-session.ts'
import type { Pool } from './clickhouse-pool.ts'

const MOST_RESERVED_BYTES = 256 * 1024 ** 2
const RESERVED_SHARE = 0.05
const CHECK_EVERY_MS = 1_000
const FAILED_WRITES = toStatement(
  `select value from system.events
    where event = 'WriteBufferFromFileDescriptorWriteFailed' FORMAT TSV`,
  'failed writes',
)

/**
 * A full disk must lose no rows (docs/decisions/0007-embedded-engines.md), but chdb ignores failed writes. So nothing
 * is written when less than a reserve of the disk is free. If a write fails nevertheless, the process ends, and the
 * next one sets incomplete parts aside. The insert was not acknowledged, so its rows are sent again.
 */
export class DiskGuard {
  readonly #path: string
  readonly #reserveBytes: number
  readonly #control: Pool
  /** Opening data on a full disk causes one failed write, of a file that is never read. */
  #failedBefore = 0
  #timer: NodeJS.Timeout | null = null

  constructor(path: string, reserveBytes: number, control: Pool) {
    this.#path = path
    this.#reserveBytes = reserveBytes
    this.#control = control
  }

  async watch(): Promise<void> {
    this.#failedBefore = await this.#countFailed()
    this.#timer = setInterval(() => void this.requireWritten().catch(() => {}), CHECK_EVERY_MS)
  }

  close(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
  }

  requireSpace(): void {
    const { bavail, bsize } = statfsSync(this.#path)
    if (bavail * bsize >= this.#reserveBytes) return
    const megabytes = Math.ceil(this.#reserveBytes / 1024 ** 2)
    const message = `The disk of ${this.#path} has less than ${megabytes} MiB left, so nothing is written`
    throw clickHouseFault(243, 'NOT_ENOUGH_SPACE', message)
  }

  /** Never returns if a write has failed. */
  async requireWritten(): Promise<void> {
    if ((await this.#countFailed()) === this.#failedBefore) return
    process.stderr.write(`a write to the disk of ${this.#path} failed; is it full?\n`)
    process.kill(process.pid, 'SIGKILL')
    await new Promise(() => {})
  }

  async #countFailed(): Promise<number> {
    const { signal } = new AbortController()
    const answer = await this.#control.use(signal, (session) => session.run(FAILED_WRITES))
    return Number(Buffer.from(answer).toString())
  }
}

export function reserveOf(path: string): number {
  const { blocks, bsize } = statfsSync(path)
  return Math.floor(Math.min(blocks * bsize * RESERVED_SHARE, MOST_RESERVED_BYTES))
}
