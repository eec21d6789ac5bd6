import type { Clock } from '../../base/clock.ts'
import type { HeavyReads } from '../../storage/heavy-reads.ts'
import type { ShortHost } from '../links/short-host.ts'

export type SearchDeps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

/** Text and size of a search: the trimmed text, in Unicode's composed form. */
export type Sought = { term: string; limit: number }
