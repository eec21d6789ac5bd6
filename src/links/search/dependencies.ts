import type { Clock } from '../../platform/core/clock.ts'
import type { HeavyReads } from '../../platform/storage/postgres/heavy-reads.ts'
import type { ShortHost } from '../link/short-host.ts'

export type SearchDeps = {
  reads: Pick<HeavyReads, 'read'>
  clock: Clock
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

/** Text and size of a search: the trimmed text, in Unicode's composed form. */
export type Sought = { term: string; limit: number }
