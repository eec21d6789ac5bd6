import { plainName, type Letter } from './layout.ts'

/** Whom a mail greets, and the one-time token that its link carries. */
type Named = { name: string }
type WithToken = Named & { token: string }

export type InvitationFacts = {
  workspaceName: string
  inviterName: string
  role: string
  token: string
}

export type WebhookFailingFacts = {
  name: string
  workspaceName: string
  endpoints: readonly {
    endpointId: string
    host: string
    failingSince: Date
    /** Of the last attempt; null when no answer came. */
    status: number | null
    /** Why no answer came to the last attempt. */
    error: string | null
  }[]
  /** Failing endpoints beyond those of `endpoints`. */
  unlistedCount: number
}

const ONE_HOUR = 'The link works once, within an hour.'
const NOT_YOU = 'If this was not you, ignore this mail: nothing has changed.'
const WAS_IT_YOU =
  'If this was not you, reset your password at once and sign out all other sessions.'
const OTHER_WAYS_IN =
  'A new password leaves API keys, passkeys and linked accounts as they are. Check them and remove what you do not know: GET /v1/api-keys in each workspace, GET /v1/auth/passkeys and GET /v1/auth/accounts.'

/**
 * `account`: how a person reaches the account, verification and reset above all. `workspace`: the
 * business of a workspace, which its members cause. The transports keep the classes apart, so that
 * no number of workspace mails delays or displaces an account mail.
 */
export type MailClass = 'account' | 'workspace'

/**
 * What each mail says. Links begin with `origin`, the configured one, and never with anything that
 * a request says of itself (OWASP, Forgot Password).
 */
export const LETTERS = {
  verifyEmail: (origin: string, { name, token }: WithToken): Letter => ({
    subject: 'Confirm your e-mail address',
    name,
    lines: ['Somebody, hopefully you, signed up for Signpost with this address.'],
    link: { label: 'Confirm the address', url: link(origin, 'verify-email', token) },
    notes: [
      `${ONE_HOUR} Open it in the browser in which you signed up, or have the password at hand.`,
      'If you did not sign up, ignore this mail: no account is made.',
    ],
  }),

  alreadyRegistered: (origin: string, { name }: Named): Letter => ({
    subject: 'You already have an account',
    name,
    lines: [
      'Somebody, hopefully you, signed up for Signpost with this address, which has an account already. Sign in with it, or ask for a new password if you have forgotten yours.',
    ],
    // What there is without a dashboard: the reference, whose requests can be sent from the browser.
    link: { label: 'Sign in, or ask for a new password', url: `${origin}/v1/auth/reference` },
    notes: [NOT_YOU],
  }),

  resetPassword: (origin: string, { name, token }: WithToken): Letter => ({
    subject: 'Choose a new password',
    name,
    lines: ['A new password was asked for your account.'],
    link: { label: 'Choose a new password', url: link(origin, 'reset-password', token) },
    notes: [ONE_HOUR, NOT_YOU, OTHER_WAYS_IN],
  }),

  passwordChanged: (_origin: string, { name }: Named): Letter => ({
    subject: 'Your password was changed',
    name,
    lines: ['The password of your account has just been changed.'],
    notes: [WAS_IT_YOU, OTHER_WAYS_IN],
  }),

  approveEmailChange: (
    origin: string,
    { name, newEmail, token }: WithToken & { newEmail: string },
  ): Letter => ({
    subject: 'Approve the change of your e-mail address',
    name,
    lines: [
      `Your account is about to move to the address ${plainName(newEmail, MAX_ADDRESS_CHARS)}. It does so once you approve it here and the new address is confirmed.`,
    ],
    link: { label: 'Approve the change', url: link(origin, 'change-email', token) },
    notes: [
      ONE_HOUR,
      'If this was not you, do not approve it, and change your password: somebody is signed in to your account.',
    ],
  }),

  verifyNewEmail: (
    origin: string,
    { name, email, token }: WithToken & { email: string },
  ): Letter => ({
    subject: 'Confirm your new e-mail address',
    lines: [
      `The Signpost account of ${plainName(name) || 'a person'} (${plainName(email)}) asks to move to this address.`,
    ],
    link: { label: 'Confirm the new address', url: link(origin, 'change-email', token) },
    notes: [
      `${ONE_HOUR} Open it in a browser that is signed in to that account, or have its password at hand.`,
      'If it is not your account, do not confirm: it would get your address. Ignore this mail, and nothing changes.',
    ],
  }),

  emailChanged: (_origin: string, { name, newEmail }: Named & { newEmail: string }): Letter => ({
    subject: 'Your e-mail address was changed',
    name,
    lines: [
      `Your account now has the address ${plainName(newEmail, MAX_ADDRESS_CHARS)}. This is the last mail to the old one.`,
    ],
    notes: [
      'If this was not you, tell the people who run this server: this address opens the account no longer.',
    ],
  }),

  invitation: (origin: string, facts: InvitationFacts): Letter => {
    const workspace = plainName(facts.workspaceName) || 'a workspace'
    return {
      // A subject holds nothing that the sender chose: the recipient may be a stranger.
      subject: 'Invitation to a workspace on Signpost',
      lines: [
        `${plainName(facts.inviterName) || 'Somebody'} invites you to the workspace ${workspace} on Signpost, as ${plainName(facts.role)}.`,
      ],
      link: { label: 'Open the invitation', url: link(origin, 'invitation', facts.token) },
      notes: [
        'The invitation is for this address alone and ends in 14 days. If you do not know who invites you, ignore this mail.',
      ],
    }
  },

  accountDeleted: (_origin: string, { name }: Named): Letter => ({
    subject: 'Your account was deleted',
    name,
    lines: ['Your account and what belonged to it alone are gone. This is the last mail to you.'],
  }),

  webhookFailing: (_origin: string, facts: WebhookFailingFacts): Letter => {
    const workspace = plainName(facts.workspaceName) || 'your workspace'
    const { endpoints, unlistedCount } = facts
    return {
      subject: 'Webhook deliveries keep failing',
      name: facts.name,
      lines: [
        `Every delivery to these webhook endpoints of the workspace ${workspace} fails:`,
        ...endpoints.map(endpointLine),
        ...(unlistedCount > 0 ? [`And ${unlistedCount} more.`] : []),
      ],
      notes: [
        'Deliveries that failed for the last time are kept and can be sent again once the receiver answers with a 2xx status.',
        'You get this mail because an endpoint names your address as its failureEmail. Each endpoint is reported once until its next success.',
      ],
    }
  },
} as const

export type LetterName = keyof typeof LETTERS

export const MAIL_CLASSES: Record<LetterName, MailClass> = {
  verifyEmail: 'account',
  alreadyRegistered: 'account',
  resetPassword: 'account',
  passwordChanged: 'account',
  approveEmailChange: 'account',
  verifyNewEmail: 'account',
  emailChanged: 'account',
  accountDeleted: 'account',
  invitation: 'workspace',
  webhookFailing: 'workspace',
}

const MAX_ADDRESS_CHARS = 254

/** Host and error are plain text: the owner of the endpoint chose the host. */
function endpointLine({
  endpointId,
  host,
  failingSince,
  status,
  error,
}: WebhookFailingFacts['endpoints'][number]): string {
  const last = status === null ? `no answer (${plainName(error ?? 'unknown')})` : `status ${status}`
  return `${plainName(host)} (${endpointId}): ${last} at the last attempt, no success since ${utc(failingSince)}.`
}

function link(origin: string, page: string, token: string): string {
  return `${origin}/v1/auth/${page}?token=${encodeURIComponent(token)}`
}

/** `2026-03-01 09:30 UTC` */
function utc(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
