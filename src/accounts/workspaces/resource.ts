import type { Resource } from '../../platform/resources/resource.ts'

export const workspaces = {
  scopes: { workspaces: { read: 'read its workspace', write: 'change or delete its workspace' } },
} as const satisfies Resource
