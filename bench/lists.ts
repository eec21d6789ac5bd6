import { measureLists } from './support/link-lists.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures `GET /links`, `GET /folders`, `GET /campaigns`, `GET /tags` and `GET /search` in a workspace of a million
 * links, in turns with one of 10,000.
 *
 *   node bench/lists.ts [--links 1000000] [--few 10000] [--reads 100]
 *
 * It prints no figure and ends with 1 when a single request fails.
 */
await measureLists(readOptions({ links: 1_000_000, few: 10_000, reads: 100 }))
