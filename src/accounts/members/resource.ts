import type { Resource } from '../../platform/resources/resource.ts'

export const members = {
  scopes: {
    members: {
      read: 'read members and invitations',
      write: 'invite, change roles, remove members',
    },
  },
  limits: ['members'],
} as const satisfies Resource
