import { DASHBOARD_PATH } from '../http/html.ts'
import { plainName, type MailContent } from './layout.ts'

type Named = { name: string }

export type FailingEndpoint = {
  endpointId: string
  /** Without path and query, which may be secret. */
  host: string
  failingSince: Date
  autoPausedAt: Date | null
  status: number | null
  error: string | null
}
type WithToken = Named & { token: string }

type InvitationFacts = {
  workspaceName: string
  inviterName: string
  role: string
  token: string
}

type ReportReadyFacts = {
  name: string
  workspaceId: string
  workspaceName: string
  reportName: string
}

type WebhookFailingFacts = {
  name: string
  workspaceName: string
  endpoints: readonly FailingEndpoint[]
  unlistedCount: number
}

const PAUSED =
  'A paused endpoint receives nothing. Once its receiver works, resume it in the dashboard: waiting deliveries are sent then, and a replay sends what happened in between.'
const ONE_HOUR = 'The link works once, within an hour.'
const NOT_YOU = 'If you did not request this, you can ignore this email. Nothing has changed.'
const WAS_IT_YOU = 'If this was not you, reset your password now and sign out all other sessions.'
const OTHER_CREDENTIALS =
  'A new password does not affect your API keys, passkeys, and linked accounts. Check them in the settings of your account and workspaces, and remove those that you do not recognize.'

/** Separate queues, so that no number of workspace mails delays an account mail. */
export type MailClass = 'account' | 'workspace'

/** Links begin with `origin`, never with the host of a request, which an attacker could choose (OWASP, Forgot Password). */
export const TEMPLATES = {
  verifyEmail: (origin: string, { name, token }: WithToken): MailContent => ({
    subject: 'Confirm your e-mail address',
    name,
    lines: ['Confirm this email address to finish signing up for Signpost.'],
    link: { label: 'Confirm email', url: link(origin, 'verify-email', token) },
    notes: [
      `${ONE_HOUR} Open it in the browser in which you signed up, or keep your password ready.`,
      'If you did not sign up, you can ignore this email. No account is created.',
    ],
  }),

  alreadyRegistered: (origin: string, { name }: Named): MailContent => ({
    subject: 'You already have an account',
    name,
    lines: [
      'This address was used to sign up for Signpost, but it already has an account. Sign in, or reset your password if you have forgotten it.',
    ],
    link: { label: 'Sign in', url: `${origin}${DASHBOARD_PATH}sign-in` },
    notes: [NOT_YOU],
  }),

  resetPassword: (origin: string, { name, token }: WithToken): MailContent => ({
    subject: 'Choose a new password',
    name,
    lines: ['A password reset was requested for your account.'],
    link: { label: 'Choose a new password', url: link(origin, 'reset-password', token) },
    notes: [ONE_HOUR, NOT_YOU, OTHER_CREDENTIALS],
  }),

  passwordChanged: (_origin: string, { name }: Named): MailContent => ({
    subject: 'Your password was changed',
    name,
    lines: ['The password of your Signpost account was just changed.'],
    notes: [WAS_IT_YOU, OTHER_CREDENTIALS],
  }),

  approveEmailChange: (
    origin: string,
    { name, newEmail, token }: WithToken & { newEmail: string },
  ): MailContent => ({
    subject: 'Approve the change of your e-mail address',
    name,
    lines: [
      `A change of your email address to ${plainName(newEmail, MAX_ADDRESS_CHARS)} was requested. It takes effect once you approve it here and confirm the new address.`,
    ],
    link: { label: 'Approve change', url: link(origin, 'change-email', token) },
    notes: [
      ONE_HOUR,
      'If you did not request this, do not approve it. Change your password right away: a stranger may have access to your account.',
    ],
  }),

  verifyNewEmail: (
    origin: string,
    { name, email, token }: WithToken & { email: string },
  ): MailContent => ({
    subject: 'Confirm your new e-mail address',
    lines: [
      `The Signpost user ${plainName(name) || 'without a name'} (${plainName(email)}) wants to use this email address for their account.`,
    ],
    link: { label: 'Confirm email', url: link(origin, 'change-email', token) },
    notes: [
      `${ONE_HOUR} Open it in a browser that is signed in to that account, or keep its password ready.`,
      'If this is not your account, you can ignore this email. Nothing changes unless you confirm.',
    ],
  }),

  emailChanged: (
    _origin: string,
    { name, newEmail }: Named & { newEmail: string },
  ): MailContent => ({
    subject: 'Your e-mail address was changed',
    name,
    lines: [
      `Your account now uses ${plainName(newEmail, MAX_ADDRESS_CHARS)}. This is the last email to your old address.`,
    ],
    notes: [
      'If this was not you, contact the operator of this server. You can no longer sign in with this address.',
    ],
  }),

  invitation: (origin: string, facts: InvitationFacts): MailContent => {
    const workspace = plainName(facts.workspaceName) || 'a workspace'
    return {
      // The subject contains no text of the inviter, who may not know the recipient.
      subject: 'Invitation to a workspace on Signpost',
      lines: [
        `${plainName(facts.inviterName) || 'A member'} invites you to the workspace ${workspace} on Signpost, as ${plainName(facts.role)}.`,
      ],
      link: { label: 'Open the invitation', url: link(origin, 'invitation', facts.token) },
      notes: [
        'Only this address can accept the invitation. It expires in 14 days. The link confirms that the address is yours, so do not forward this email.',
        'If you do not know the sender, you can ignore this email.',
      ],
    }
  },

  accountDeleted: (_origin: string, { name }: Named): MailContent => ({
    subject: 'Your account was deleted',
    name,
    lines: [
      'Your account was deleted, along with all data that only you owned. This is our last email to you.',
    ],
  }),

  webhookFailing: (_origin: string, facts: WebhookFailingFacts): MailContent => {
    const workspace = plainName(facts.workspaceName) || 'your workspace'
    const { endpoints, unlistedCount } = facts
    const isPaused = endpoints.some(({ autoPausedAt }) => autoPausedAt !== null)
    return {
      subject: isPaused
        ? 'Webhook endpoints were paused because deliveries keep failing'
        : 'Webhook deliveries keep failing',
      name: facts.name,
      lines: [
        `All deliveries to these webhook endpoints of the workspace ${workspace} are failing:`,
        ...endpoints.map(describeEndpoint),
        ...(unlistedCount > 0 ? [`And ${unlistedCount} more.`] : []),
      ],
      notes: [
        ...(isPaused ? [PAUSED] : []),
        'Deliveries that have run out of attempts are kept. You can retry them once the receiver answers with a 2xx status.',
        isPaused
          ? 'You get this email because an endpoint names your address as its failureEmail, or because you own the workspace. Each endpoint is reported once until its next success, and once when it is paused.'
          : 'You get this email because an endpoint names your address as its failureEmail. Each endpoint is reported once until its next success.',
      ],
    }
  },

  reportReady: (origin: string, facts: ReportReadyFacts): MailContent => {
    const workspace = plainName(facts.workspaceName) || 'your workspace'
    return {
      // The subject contains no text that another member chose.
      subject: 'A scheduled report is ready',
      name: facts.name,
      lines: [
        `The report ${plainName(facts.reportName) || 'without a name'} of the workspace ${workspace} is ready.`,
      ],
      link: { label: 'Open the reports', url: `${origin}/app/${facts.workspaceId}/reports` },
      notes: [
        'You need to sign in to open it. The file is kept for 30 days.',
        'You get this email because you are a recipient of this report. A member of the workspace can remove you.',
      ],
    }
  },
} as const

export type TemplateName = keyof typeof TEMPLATES

const WORKSPACE_MAILS: ReadonlySet<string> = new Set<TemplateName>([
  'invitation',
  'webhookFailing',
  'reportReady',
])

/** @param template may be from another version; an unknown one counts as an account mail */
export function getMailClass(template: string): MailClass {
  return WORKSPACE_MAILS.has(template) ? 'workspace' : 'account'
}

const MAX_ADDRESS_CHARS = 254

function describeEndpoint({
  endpointId,
  host,
  failingSince,
  autoPausedAt,
  status,
  error,
}: FailingEndpoint): string {
  const paused = autoPausedAt === null ? '' : `, paused at ${formatUtc(autoPausedAt)}`
  const last = status === null ? `no answer (${plainName(error ?? 'unknown')})` : `status ${status}`
  return `${plainName(host)} (${endpointId}): ${last} at the last attempt, no success since ${formatUtc(failingSince)}${paused}.`
}

function link(origin: string, page: string, token: string): string {
  return `${origin}/v1/auth/${page}?token=${encodeURIComponent(token)}`
}

function formatUtc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
