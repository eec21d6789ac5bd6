import { emptyTable } from '../../platform/resources/purge-steps.ts'
import type { Resource } from '../../platform/resources/resource.ts'
import { Report } from './schema.ts'

export const reports = {
  scopes: {
    reports: { read: 'read and download reports', write: 'create, change and delete reports' },
  },
  events: {
    'report.generated': {
      label: 'Report generated',
      description: 'The file of a report is finished.',
      data: Report,
    },
  },
  capabilities: ['reports'],
  purge: [
    {
      name: 'files of reports',
      tables: ['report_chunks'],
      run: ({ sql }, workspaceId, signal) => emptyTable(sql, 'report_chunks', workspaceId, signal),
    },
  ],
} as const satisfies Resource
