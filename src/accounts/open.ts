import type { Config } from '../platform/config/config.ts'
import { requireSession } from '../platform/audit/acting.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import { createAccounts } from './accounts/accounts.ts'
import { accountRoutes } from './accounts/routes.ts'
import { createApiKeys } from './api-keys/api-keys.ts'
import { createKeyAuthentication } from './api-keys/authentication.ts'
import { apiKeyRoutes } from './api-keys/routes.ts'
import { createAuditLog } from './audit-log/audit-log.ts'
import { auditLogRoutes } from './audit-log/routes.ts'
import { createInvitationPage } from './invitations/invitation-page.ts'
import { createInvitations } from './invitations/invitations.ts'
import * as invitationTables from './invitations/routes.ts'
import { createMemberActivity } from './members/activity.ts'
import { createMembers } from './members/members.ts'
import { memberRoutes } from './members/routes.ts'
import { createSecurityLog } from './security-log/security-log.ts'
import { securityLogRoutes } from './security-log/routes.ts'
import { openSignIn, type SignIn } from './sign-in/open.ts'
import { voidPendingSignUps } from './sign-in/pending-sign-ups.ts'
import { GONE_SESSION_COOKIE, revokeSessions } from './sign-in/sessions.ts'
import { readUser, requireOwner } from './sign-in/users.ts'
import { workspaceAccountRoutes, workspaceRoutes } from './workspaces/routes.ts'
import { createWorkspaces, type WorkspacesDeps } from './workspaces/workspaces.ts'

type Neighbors = {
  config: Config
  /** Host of short links; set once the server has its port. */
  shortHost: () => { domain: string }
  purge: WorkspacesDeps['purge']
}

export type AccountsRoom = ReturnType<typeof openAccounts>

/** Users and what they belong to: workspaces, members, invitations, API keys, sign-in, and both logs. */
export function openAccounts(deps: Dependencies, { config, shortHost, purge }: Neighbors) {
  const { systemSql, clock, limiter } = deps
  const apiKeys = createApiKeys(deps)
  const setActiveWorkspace: SignIn['sessions']['setActiveWorkspace'] = (...args) =>
    signIn.sessions.setActiveWorkspace(...args)
  const workspaces = createWorkspaces({
    ...deps,
    initialPlan: deps.plans.initial.id,
    maxOwned: config.maxWorkspacesPerUser,
    setActiveWorkspace,
    purge,
  })
  const invitations = createInvitations({
    ...deps,
    addressLimiter: limiter('invitation'),
    inviterLimiter: limiter('inviter'),
    mailLimiter: limiter('invitation-mail'),
    setActiveWorkspace,
  })
  const signIn: SignIn = openSignIn(deps, config, {
    hasInvitation: (email) => invitations.hasInvitation(email),
    findInvitation: (...args) => invitations.findForSignUp(...args),
    joinInvited: (...args) => invitations.join(...args),
    shortHost,
    ensureWorkspace: (tx, user) => workspaces.ensureFirst(tx, user),
    revokeKeysOf: (tx, caller, userId) => apiKeys.revokeEverywhere(tx, caller, userId),
  })
  const members = createMembers({
    ...deps,
    revokeKeysOf: apiKeys.revokeOf,
    cancelInvitationsBy: invitations.cancelBy,
  })
  const accounts = createAccounts({
    ...deps,
    members,
    workspaces,
    confirmOwner: async (caller, password) => {
      const session = requireSession(caller)
      const { emailKey } = await readUser(systemSql, session)
      await signIn.throttle.guess(caller, emailKey)
      const owner = { systemSql, clock, passwords: signIn.passwords }
      return requireOwner(owner, session, password, 'password')
    },
    voidPendingSignUps,
    revokeSessions: (tx, userId) => revokeSessions(tx, userId, null),
    goneCookie: GONE_SESSION_COOKIE,
  })
  const signInMethods = { providers: signIn.providers, signup: config.signup }
  const invitationPage = createInvitationPage({ ...deps, invitations, signInMethods })
  const routes = {
    apiKeys: apiKeyRoutes(apiKeys),
    workspaces: workspaceRoutes(workspaces),
    members: [...memberRoutes(members), ...invitationTables.invitationRoutes(invitations)],
    auditLog: auditLogRoutes(createAuditLog(deps)),
    securityLog: securityLogRoutes(createSecurityLog(deps)),
  } satisfies Record<string, Route[]>
  return {
    routes,
    /** Routes of users, outside of a workspace. */
    userRoutes: [
      ...signIn.routes,
      ...accountRoutes(accounts),
      ...workspaceAccountRoutes(workspaces),
      ...invitationTables.invitationAccountRoutes(invitations),
      ...invitationTables.invitationPageRoutes(invitationPage),
    ] as Route[],
    signIn,
    apiKeys,
    accounts,
    keyAuthentication: createKeyAuthentication(deps),
    noteActivity: createMemberActivity(deps),
  }
}
