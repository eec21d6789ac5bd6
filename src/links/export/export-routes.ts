import { TIMES } from '../../platform/limits/times.ts'
import { route } from '../../platform/routes/route.ts'
import type { LinkExports } from './export.ts'
import { ExportLinks } from '../link/schema.ts'

export const linkExportRoutes = (exports: LinkExports) => [
  route('GET /links/export.csv', {
    requires: { credential: 'any', role: 'viewer', scope: 'links:read' },
    skipConcurrencyLimit: true,
    isLongLived: true,
    name: 'exportLinks',
    summary: 'Export links as CSV',
    description:
      'Sends the links of the workspace, newest first, as a CSV file that can be imported again. The file is streamed. A workspace has one export at a time.',
    tag: 'Links',
    // A part of the file may wait for a connection while the server is busy.
    limits: { timeoutMs: TIMES.stream.ms },
    sends: ['text/csv'],
    shapes: { query: ExportLinks },
    handle: (principal, { query }, signal) => exports.start(principal, query, signal),
  }),
]
