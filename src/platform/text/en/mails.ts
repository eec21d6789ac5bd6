import type { MailTexts } from '../texts.ts'
import { pluralOf } from '../plural.ts'

const plural = pluralOf('en')

export const mails: MailTexts = {
  hello: (name) => `Hello ${name},`,
  helloNobody: 'Hello,',
  unnamed: '(no name)',
  roles: { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer' },
  once: 'The link works once, within an hour.',
  notYou: 'If you did not request this, you can ignore this email. Nothing has changed.',
  wasItYou: 'If this was not you, reset your password now and sign out all other sessions.',
  otherCredentials:
    'A new password does not affect your API keys, passkeys, and linked accounts. Check them in the settings of your account and workspaces, and remove those that you do not recognize.',
  verifyEmail: {
    subject: 'Confirm your e-mail address',
    text: 'Confirm this email address to finish signing up for Signpost.',
    link: 'Confirm email',
    where: 'Open it in the browser in which you signed up, or keep your password ready.',
    notYou: 'If you did not sign up, you can ignore this email. No account is created.',
  },
  alreadyRegistered: {
    subject: 'You already have an account',
    text: 'This address was used to sign up for Signpost, but it already has an account. Sign in, or reset your password if you have forgotten it.',
    link: 'Sign in',
  },
  resetPassword: {
    subject: 'Choose a new password',
    text: 'A password reset was requested for your account.',
    link: 'Choose a new password',
  },
  passwordChanged: {
    subject: 'Your password was changed',
    text: 'The password of your Signpost account was just changed.',
  },
  approveEmailChange: {
    subject: 'Approve the change of your e-mail address',
    text: (newEmail) =>
      `A change of your email address to ${newEmail} was requested. It takes effect once you approve it here and confirm the new address.`,
    link: 'Approve change',
    notYou:
      'If you did not request this, do not approve it. Change your password right away: a stranger may have access to your account.',
  },
  verifyNewEmail: {
    subject: 'Confirm your new e-mail address',
    text: (name, email) =>
      `The Signpost user ${name} (${email}) wants to use this email address for their account.`,
    link: 'Confirm email',
    where: 'Open it in a browser that is signed in to that account, or keep its password ready.',
    notYou:
      'If this is not your account, you can ignore this email. Nothing changes unless you confirm.',
  },
  emailChanged: {
    subject: 'Your e-mail address was changed',
    text: (newEmail) =>
      `Your account now uses ${newEmail}. This is the last email to your old address.`,
    notYou:
      'If this was not you, contact the operator of this server. You can no longer sign in with this address.',
  },
  invitation: {
    subject: 'Invitation to a workspace on Signpost',
    text: (inviter, workspace, role) =>
      `${inviter} invites you to the workspace ${workspace} on Signpost, as ${role}.`,
    link: 'Open the invitation',
    terms:
      'Only this address can accept the invitation. It expires in 14 days. The link confirms that the address is yours, so do not forward this email.',
    unknown: 'If you do not know the sender, you can ignore this email.',
  },
  accountDeleted: {
    subject: 'Your account was deleted',
    text: 'Your account was deleted, along with all data that only you owned. This is our last email to you.',
  },
  webhookFailing: {
    subject: 'Webhook deliveries keep failing',
    subjectPaused: 'Webhook endpoints were paused because deliveries keep failing',
    text: (workspace) =>
      `All deliveries to these webhook endpoints of the workspace ${workspace} are failing:`,
    endpoint: ({ host, id, last, since }) =>
      `${host} (${id}): ${last} at the last attempt, no success since ${since}.`,
    pausedAt: (time) => `Paused at ${time}.`,
    status: (status) => `status ${status}`,
    noAnswer: (error) => `no answer (${error})`,
    more: (count) => plural(count, { one: 'And # more.', other: 'And # more.' }),
    paused:
      'A paused endpoint receives nothing. Once its receiver works, resume it in the dashboard: waiting deliveries are sent then, and a replay sends what happened in between.',
    kept: 'Deliveries that have run out of attempts are kept. You can retry them once the receiver answers with a 2xx status.',
    why: 'You get this email because an endpoint names your address as its failureEmail. Each endpoint is reported once until its next success.',
    whyPaused:
      'You get this email because an endpoint names your address as its failureEmail, or because you own the workspace. Each endpoint is reported once until its next success, and once when it is paused.',
  },
  reportReady: {
    subject: 'A scheduled report is ready',
    text: (report, workspace) => `The report ${report} of the workspace ${workspace} is ready.`,
    link: 'Open the reports',
    terms: 'You need to sign in to open it. The file is kept for 30 days.',
    why: 'You get this email because you are a recipient of this report. A member of the workspace can remove you.',
  },
  alert: {
    subject: 'An alert about your links',
    over: 'An alert is over',
    wholeWorkspace: 'the whole workspace',
    high: (target, count, usual) =>
      `${target}: ${count} clicks in the last full hour, where ${usual} are usual at this time.`,
    low: (target, count, usual) =>
      `${target}: only ${count} clicks in the last full hour, where ${usual} are usual at this time.`,
    failing: (target) => `${target}: the destination does not answer, or answers with an error.`,
    clicksOver: (target, count) =>
      `${target}: clicks are usual again, with ${count} in the last full hour.`,
    destinationOver: (target) => `${target}: the destination answers again.`,
    of: (workspace) => `Workspace: ${workspace}.`,
    link: 'Open the alerts',
    why: 'You get this email because you are a recipient of this alert. A member of the workspace can remove you.',
  },
}
