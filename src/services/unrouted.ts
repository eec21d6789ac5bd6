import { ClickReceived } from './click-shapes.ts'
import { clicksStep } from './purge-steps.ts'
import type { Resource } from './resource.ts'

/*
 * Declarations without routes: clicks, and resources that only have their scopes and events yet. When
 * such a resource gets routes, its declaration moves to `<noun>/resource.ts`.
 */

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

export const bioPages = { scopes: { 'bio-pages': noun('bio pages') } } as const satisfies Resource
