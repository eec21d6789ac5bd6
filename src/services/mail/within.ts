import { sleep } from '../../base/service.ts'

/** Resolves when all of `work` is settled, or after `withinMs`. Never rejects. */
export async function within(withinMs: number, ...work: Promise<unknown>[]): Promise<void> {
  const enough = new AbortController()
  const settled = Promise.allSettled(work)
  await Promise.race([settled, sleep(withinMs, enough.signal)])
  enough.abort()
}
