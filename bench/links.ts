import { measureBulk } from './support/bulk-links.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures many links at a time. Section `bulk`: links created by `POST /links/bulk` on one connection,
 * in turns with `POST /links` from several, in one workspace of one process.
 *
 *   node bench/links.ts [--only bulk] [--rounds 5] [--seconds 4] [--connections 8] [--rows 1000]
 *
 * It prints no figure and ends with 1 when a single request or row fails.
 */
const { only, ...options } = readOptions(
  { rounds: 5, seconds: 4, connections: 8, rows: 1_000 },
  { only: '' },
)
if (only === '' || only === 'bulk') await measureBulk(options)
