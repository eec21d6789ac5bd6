import { measureBulk } from './support/bulk-links.ts'
import { measureExport } from './support/export-memory.ts'
import { measureImport } from './support/import-beside-redirects.ts'
import { readOptions } from './support/options.ts'

/**
 * Measures many links at a time. Section `bulk`: links created by `POST /links/bulk` on one connection,
 * in turns with `POST /links` from several, in one workspace of one process. Section `import`: the p99 of
 * redirects beside an import, by the p99 without it. Section `export`: growth of the process while all links of
 * a workspace are exported.
 *
 *   node bench/links.ts [--only bulk|import|export] [--rounds 5] [--seconds 4] [--connections 8] [--rows 1000]
 *     [--imported 10000] [--visited 200] [--links 1000000]
 *
 * It prints no figure and ends with 1 when a single request or row fails.
 */
const { only, ...options } = readOptions(
  {
    rounds: 5,
    seconds: 4,
    connections: 8,
    rows: 1_000,
    imported: 10_000,
    visited: 200,
    links: 1_000_000,
  },
  { only: '' },
)
if (only === '' || only === 'bulk') await measureBulk(options)
if (only === '' || only === 'import') await measureImport(options)
if (only === '' || only === 'export') await measureExport(options)
