import type { Resource } from '../platform/resources/resource.ts'

export const members = {
  scopes: {
    members: {
      read: 'read members and invitations',
      write: 'invite, change roles, remove members',
    },
  },
  limits: ['members'],
} as const satisfies Resource

/** Keys are managed by sessions alone, so that no scope covers them. */
export const apiKeys = { limits: ['api_keys'] } as const satisfies Resource

export const workspaces = {
  scopes: { workspaces: { read: 'read its workspace', write: 'change or delete its workspace' } },
} as const satisfies Resource

export const auditLog = {
  scopes: { 'audit-log': { read: 'read the audit log' } },
  capabilities: ['audit_log'],
} as const satisfies Resource

export const securityLog = {
  scopes: { 'security-log': { read: 'read the security log' } },
} as const satisfies Resource
