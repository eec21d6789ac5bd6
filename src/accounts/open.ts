import type { Config } from '../platform/config/config.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Session } from '../platform/routes/caller.ts'
import type { Route } from '../platform/routes/route.ts'
import { createAccounts, accountRoutes } from './accounts/accounts.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import { createKeyAuthentication } from './api-keys/authentication.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { createAuditLog } from './logs/audit-log.ts'
import { auditLogRoutes, securityLogRoutes } from './logs/routes.ts'
import { createInvitationPage } from './invitations/invitation-page.ts'
import { createInvitations } from './invitations/invitations.ts'
import * as invitationRoutes from './invitations/routes.ts'
import { requireOperator } from './sign-in/users.ts'
import { createMemberActivity } from './members/activity.ts'
import { createMembers } from './members/members.ts'
import { memberRoutes } from './members/routes.ts'
import { createSecurityLog } from './logs/security-log.ts'
import type { ClientDocuments } from './oauth/clients.ts'
import { createAppRequests } from './oauth/requests.ts'
import { oauthRoutes } from './oauth/routes.ts'
import { createAppTokens, endUnusedApps } from './oauth/tokens.ts'
import { openSignIn } from './sign-in/open.ts'
import { workspaceAccountRoutes, workspaceRoutes } from './workspaces/routes.ts'
import { createWorkspaces, type WorkspacesDeps } from './workspaces/workspaces.ts'

type Neighbors = {
  config: Config
  shortHost: () => { domain: string }
  purge: WorkspacesDeps['purge']
  documents: ClientDocuments
}

export type AccountsRoom = ReturnType<typeof openAccounts>

/** Users and what they belong to: workspaces, members, invitations, API keys, sign-in, and both logs. */
export function openAccounts(deps: Dependencies, neighbors: Neighbors) {
  const { config, shortHost, purge, documents } = neighbors
  const { limiter } = deps
  const apiKeys = createApiKeys(deps)
  const workspacesDeps = { ...deps, maxOwned: config.maxWorkspacesPerUser, purge }
  const workspaces = createWorkspaces(workspacesDeps)
  const invitations = createInvitations({
    ...deps,
    addressLimiter: limiter('invitation'),
    inviterLimiter: limiter('inviter'),
    mailLimiter: limiter('invitation-mail'),
  })
  const signIn = openSignIn(deps, config, shortHost)
  const members = createMembers(deps)
  const { passwords, throttle } = signIn
  const accounts = createAccounts({ ...workspacesDeps, passwords, throttle })
  const signInMethods = { providers: signIn.providers, signup: config.signup }
  const invitationPage = createInvitationPage({ ...deps, invitations, signInMethods })
  const clients = { ...deps, documents }
  const oauth = {
    clients,
    requests: createAppRequests({ ...clients, codeLimiter: limiter('device-code') }),
    tokens: createAppTokens(deps),
  }
  const routes = {
    apiKeys: apiKeyRoutes(apiKeys),
    workspaces: workspaceRoutes(workspaces),
    members: [...memberRoutes(members), ...invitationRoutes.invitationRoutes(invitations)],
    auditLog: auditLogRoutes(createAuditLog(deps)),
    securityLog: securityLogRoutes(createSecurityLog(deps)),
  } satisfies Record<string, Route[]>
  return {
    routes,
    userRoutes: [
      ...signIn.routes,
      ...oauthRoutes(oauth),
      ...accountRoutes(accounts),
      ...workspaceAccountRoutes(workspaces),
      ...invitationRoutes.invitationAccountRoutes(invitations),
      ...invitationRoutes.invitationPageRoutes(invitationPage),
    ] as Route[],
    signIn,
    apiKeys,
    accounts,
    endUnusedApps: (signal: AbortSignal) => endUnusedApps(deps, signal),
    keyAuthentication: createKeyAuthentication(deps),
    noteActivity: createMemberActivity(deps),
    requireOperator: (session: Session) => requireOperator(deps, session),
  }
}
