import { ClickReceived } from './events-schema.ts'
import { clicksStep } from '../../platform/resources/purge-steps.ts'
import type { Resource } from '../../platform/resources/resource.ts'

/* Declarations of what has no routes of its own. */

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
