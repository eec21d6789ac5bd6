import { Type } from 'typebox'
import { ClickReceived } from './click-shapes.ts'
import { clicksStep } from './purge-steps.ts'
import type { Resource } from './resource.ts'
import { idShape, text } from './shapes.ts'

/*
 * Declarations without routes: clicks, and resources that only have their scopes and events yet. When
 * such a resource gets routes, its declaration moves to `<noun>/resource.ts`.
 */

const completed = text('Always `completed`.', 'completed')
const noun = (name: string) => ({
  read: `read ${name}`,
  write: `create, change and delete ${name}`,
})

export const clicks = {
  events: {
    'click.received': {
      label: 'Click received',
      description: 'A link of the workspace was clicked.',
      data: ClickReceived,
    },
  },
  purge: [clicksStep],
} as const satisfies Resource

const ReportGenerated = Type.Object({
  id: idShape('rep', 'Id of the report.'),
  name: text('Its name.', 'Clicks by month'),
  status: completed,
  downloadUrl: text('Where its file is.', 'https://links.example.com/v1/reports/rep_1/download'),
})

export const reports = {
  scopes: { reports: noun('reports') },
  events: {
    'report.generated': {
      label: 'Report generated',
      description: 'The export of a report is finished.',
      data: ReportGenerated,
    },
  },
} as const satisfies Resource

export const bioPages = { scopes: { 'bio-pages': noun('bio pages') } } as const satisfies Resource
