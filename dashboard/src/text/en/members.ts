import type { Tools } from '../load.ts'

/** Texts of members and invitations. */
export const messages = ({ plural }: Tools) => ({
  members: {
    title: 'Members',
    count: (count: number) => plural(count, { one: '# member', other: '# members' }),
    you: 'you',
    roleOf: (name: string) => `Role of ${name}`,
    roleHints: {
      viewer: 'sees links and statistics',
      member: 'also creates and changes links and campaigns',
      admin: 'also manages webhooks, keys, members and logs',
      owner: 'also manages billing and can delete the workspace',
    },
    roleChanged: (name: string, role: string) => `${name} is now ${role.toLowerCase()}.`,
    joined: 'Joined',
    lastActive: 'active',
    neverActive: 'not active yet',
    twoFactor: 'Two-factor sign-in',
    noTwoFactor: 'No two-factor sign-in',
    actionsOf: (name: string) => `Actions of ${name}`,
    remove: 'Remove',
    removeTitle: (name: string) => `Remove ${name}?`,
    removeExplain:
      'Their API keys in this workspace stop working at once. What they created stays.',
    removed: (name: string) => `Removed ${name}.`,
    leave: 'Leave the workspace',
    leaveTitle: (name: string) => `Leave ${name}?`,
    leaveExplain:
      'Your API keys in this workspace stop working at once. You need a new invitation to come back.',
    invite: 'Invite',
    inviteTitle: 'Invite a member',
    email: 'E-mail',
    role: 'Role',
    send: 'Send invitation',
    sent: (email: string) => `Invited ${email}.`,
    notMailed: (email: string) =>
      `${email} is invited, but no mail was sent: this address got too many in the last hour. Try again later.`,
    accountRequired:
      'Sign-up is closed on this server. People without an account need to ask the operator for one first.',
    invitations: 'Invitations',
    invitationStatuses: {
      pending: 'Pending',
      accepted: 'Accepted',
      rejected: 'Declined',
      canceled: 'Canceled',
      expired: 'Expired',
    },
    noInvitations: 'No open invitations.',
    expires: 'expires',
    resend: 'Send again',
    getLink: 'Get a link',
    linkTitle: 'Invitation link',
    linkNote: (email: string) =>
      `You can also share a link yourself. Only ${email} can join with it, after confirming that address by mail.`,
    makeLink: 'Create a link',
    copyLink: 'Copy link',
    cancelInvitation: 'Cancel invitation',
    canceled: (email: string) => `Canceled the invitation for ${email}.`,
    invitedAgain: (email: string) => `Invited ${email} again.`,
    actionsOfInvitation: (email: string) => `Actions for the invitation of ${email}`,
  },
})
